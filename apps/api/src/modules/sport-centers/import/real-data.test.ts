import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#api/database/database.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { describeUnlessMissing } from '#test/skip-without.ts';
import { importCenters } from './import-centers.ts';
import { openRecords } from './read/open-records.ts';
import { openFile } from './read/read-file.ts';
import { loadStarterCenters } from './starter.ts';

const folder = process.env.CENTERS_DATA_DIR;

/** Counted by hand from the files; a changed rule must be justified here, count by count. */
const EXPECTED = [
  {
    file: 'sport-centers.geojson',
    read: 2767,
    imported: 2684,
    merged: 9,
    refused: { ropes_course: 38, spray_park: 21, crag: 15 },
  },
  // The columns are in the Arabian Sea, swapped in Berlin as the address says; the geometry is in Boston.
  { file: 'importer/broken-swapped-latlon.json', read: 2, imported: 0, merged: 0, refused: { swapped_coordinates: 2 } },
  {
    file: 'importer/wrong-crs-epsg9498-buenosaires.geojson',
    read: 16,
    imported: 0,
    merged: 0,
    refused: { wrong_projection: 16 },
  },
  {
    // The one import is a hall: "Cliff" has an address, opening hours, a fee and is on the first floor.
    file: 'importer/not-centers.geojson',
    read: 1008,
    imported: 1,
    merged: 0,
    refused: { no_evidence: 662, crag: 291, ropes_course: 50, via_ferrata: 2, closed_down: 1, no_name: 1 },
  },
  {
    // Osmium writes closed ways twice, as a line and as an area: five of the six centers are in the file twice.
    file: 'importer/osmium-export-andorra-sport.geojson',
    read: 280,
    imported: 6,
    merged: 5,
    refused: { other_sport: 229, no_name: 32, via_ferrata: 4, crag: 2, no_evidence: 2 },
  },
  {
    file: 'importer/osmnx-style-nulls-copenhagen.geojson',
    read: 36,
    imported: 12,
    merged: 0,
    refused: { other_sport: 22, no_evidence: 1, no_name: 1 },
  },
  {
    file: 'importer/overpass-2014-sport-climbing-ways-need-node-join.json',
    read: 5381,
    imported: 380,
    merged: 4,
    refused: {
      crag: 4322,
      ropes_course: 202,
      pitch_or_playground: 189,
      other_sport: 151,
      no_evidence: 75,
      via_ferrata: 34,
      no_name: 13,
      shop_or_office: 11,
    },
  },
  {
    file: 'importer/overpass-2021-sport-climbing-nodes.json',
    read: 14831,
    imported: 983,
    merged: 6,
    refused: {
      crag: 12663,
      no_evidence: 633,
      pitch_or_playground: 305,
      ropes_course: 101,
      shop_or_office: 58,
      via_ferrata: 52,
      no_name: 25,
      closed_down: 5,
    },
  },
  {
    file: 'importer/overpass-turbo-2019-climbing-alps.geojson',
    read: 595,
    imported: 26,
    merged: 1,
    refused: {
      crag: 506,
      pitch_or_playground: 23,
      via_ferrata: 14,
      no_evidence: 13,
      ropes_course: 10,
      shop_or_office: 2,
    },
  },
];

describeUnlessMissing(folder === undefined ? 'CENTERS_DATA_DIR' : undefined, 'the files of real centers', () => {
  let database: Database;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ database, close } = await openTestDatabase());
  });

  afterAll(() => close());

  const run = (file: string) =>
    importCenters({
      database,
      open: async () => openRecords(await openFile(join(folder ?? '', file)), { file_name: file }),
    });

  it.each(EXPECTED)(
    '$file gives the report that was expected, and changes nothing the second time',
    async (expected) => {
      await sql`truncate sport_centers cascade`.execute(database);
      const report = await run(expected.file);
      expect({
        file: expected.file,
        read: report.read,
        imported: report.imported,
        merged: report.merged_count,
        refused: report.by_reason,
      }).toEqual(expected);
      expect(report.imported + report.merged_count + report.refused_count).toBe(report.read);

      const again = await run(expected.file);
      expect(again).toMatchObject({ imported: 0, updated: 0, enriched: 0, unchanged: report.imported });
      expect(again.merged).toEqual(report.merged);
      expect(again.refused).toEqual(report.refused);
    },
    90_000,
  );

  it('load one after another onto the starter set, each without a change the second time', async () => {
    await sql`truncate sport_centers cascade`.execute(database);
    const starters = await loadStarterCenters(database);
    const big = await run('sport-centers.geojson');
    const met = new Set(big.merged.map(({ into }) => into).filter((into) => into.startsWith('sendlap-starter:')));
    // The file lacks 36 of the starter set, and has 2 under a name that differs too much.
    expect(met.size).toBe(starters - 36 - 2);
    for (const { file } of EXPECTED) {
      await run(file);
      expect(await run(file), file).toMatchObject({ imported: 0, updated: 0, enriched: 0 });
    }
    const ids = await database
      .selectFrom('sport_centers')
      .select('source')
      .where('source', '=', 'sendlap-starter')
      .execute();
    expect(ids).toHaveLength(starters);
  }, 90_000);

  it('give the twelve of Copenhagen no second center where the big file has them under other references', async () => {
    await sql`truncate sport_centers cascade`.execute(database);
    await run('sport-centers.geojson');
    const copenhagen = await run('importer/osmnx-style-nulls-copenhagen.geojson');
    expect(copenhagen).toMatchObject({ imported: 0 });
    expect(copenhagen.merged_count).toBe(12);
  }, 90_000);
});
