import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#api/database/database.ts';
import starterSet from '#api/starter/sport-centers.json' with { type: 'json' };
import { openTestDatabase } from '#test/database/database.ts';
import { describeUnlessMissing } from '#test/skip-without.ts';
import { type ImportOptions, importCenters } from './import-centers.ts';
import { openRecords } from './read/open-records.ts';
import { openFile } from './read/read-file.ts';
import type { ImportReport } from './report.ts';
import { loadStarterCenters } from './starter.ts';

const folder = process.env.CENTERS_DATA_DIR;
const TIMEOUT_MS = 300_000;

/** One line per run: its counts; edit by hand only for a deliberate change of a rule. */
const EXPECTED = readFileSync(join(import.meta.dirname, 'expected-reports.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): { series: string; file: string; run: string } => JSON.parse(line));
const runsOf = (series: string) => EXPECTED.filter((expected) => expected.series === series);
const ALONE = Map.groupBy(runsOf('alone'), ({ file }) => file);

/** Files without CENTERS_DATA_DIR: the starter set as OpenStreetMap would have it, and two entries that are refused. */
const OWN_TAGS = [
  ...starterSet.centers.map(({ name, latitude, longitude, sports }) => ({
    ...{ latitude, longitude },
    tags: { leisure: 'sports_centre', indoor: 'yes', sport: sports.join(';'), name },
  })),
  { latitude: 41.5, longitude: 2.3, tags: { natural: 'cliff', sport: 'climbing', name: 'Montserrat' } },
  { latitude: 41.4, longitude: 2.2, tags: { leisure: 'pitch', sport: 'soccer', name: 'Campo' } },
];
const OWN_FILES = {
  'town.geojson': JSON.stringify({
    type: 'FeatureCollection',
    features: OWN_TAGS.map(({ latitude, longitude, tags }, index) => ({
      ...{ type: 'Feature', id: `node/${index}`, properties: tags },
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
    })),
  }),
  'overpass.json': JSON.stringify({
    elements: OWN_TAGS.map(({ latitude, longitude, tags }, id) => ({
      ...{ type: 'way', id, center: { lat: latitude, lon: longitude }, tags },
    })),
  }),
};

const OPTIONS: Record<string, Partial<ImportOptions>> = {
  alone: {},
  onto_starter_set: {},
  complete: { complete: {}, may_close_many: true },
};

let database: Database;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
});

afterAll(() => close());

describeUnlessMissing(folder === undefined ? 'CENTERS_DATA_DIR' : undefined, 'the counts of the import reports', () => {
  async function expectRuns(runs: typeof EXPECTED): Promise<void> {
    for (const expected of runs) {
      const { series, file, run } = expected;
      const open = async () => openRecords(await openFile(join(folder ?? '', file)), { file_name: file });
      const report = await importCenters({ database, open, dry_run: run === 'dry_run', ...OPTIONS[series] });
      expect({ series, file, run, ...countsOf(report) }).toEqual(expected);
      if (run === 'second') expect(report).toMatchObject({ imported: 0, updated: 0, enriched: 0 });
    }
  }

  it.each([...ALONE])(
    '%s into an empty database: a dry run, and two imports',
    async (_file, runs) => {
      await empty();
      await expectRuns(runs);
    },
    TIMEOUT_MS,
  );

  it(
    'each file after the others, onto the starter set',
    async () => {
      await empty();
      await loadStarterCenters(database);
      await expectRuns(runsOf('onto_starter_set'));
    },
    TIMEOUT_MS,
  );

  it(
    'each file after the others, as all that its sources have',
    async () => {
      await empty();
      await expectRuns(runsOf('complete'));
    },
    TIMEOUT_MS,
  );
});

describe('the counts of the import reports of the starter set, as a file of ours', () => {
  it.each(Object.entries(OWN_FILES))('%s', async (file_name, text) => {
    const run = async (more: Partial<ImportOptions> = {}) => {
      const open = async () => openRecords(new Blob([text]), { file_name, source: 'town', licence: 'CC0-1.0' });
      const { by_reason, read, imported, unchanged, merged, ...counts } = countsOf(
        await importCenters({ database, open, ...more }),
      );
      expect({ by_reason, ...counts }).toMatchObject({
        by_reason: { crag: 1, other_sport: 1 },
        ...{ refused: 2, updated: 0, enriched: 0, closed: 0, reopened: 0, missing: 0, notes: 0 },
      });
      return { read, imported, unchanged, merged };
    };
    const all = starterSet.centers.length;
    const none = { read: all + 2, imported: 0, unchanged: 0, merged: 0 };
    await empty();
    expect(await run({ dry_run: true })).toEqual({ ...none, imported: all });
    expect(await run()).toEqual({ ...none, imported: all });
    expect(await run()).toEqual({ ...none, unchanged: all });
    await empty();
    await loadStarterCenters(database);
    expect(await run()).toEqual({ ...none, merged: all });
    expect(await run()).toEqual({ ...none, merged: all });
  });
});

const empty = () => sql`truncate sport_centers cascade`.execute(database);

/** The full report, with the number of entries in place of their texts. */
function countsOf({ notes, merged, refused, ...counts }: ImportReport) {
  return { ...counts, notes: notes.length, merged: merged.length, refused: refused.length };
}
