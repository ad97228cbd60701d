import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#api/database/database.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { type ImportOptions, importCenters } from './import-centers.ts';
import { openRecords } from './read/open-records.ts';
import { ImportError, type ReadOptions } from './read/types.ts';
import { loadStarterCenters, readStarterCenters } from './starter.ts';

let database: Database;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
});

afterAll(() => close());

beforeEach(async () => {
  await sql`truncate sport_centers cascade`.execute(database);
});

type Properties = Record<string, unknown>;

function collection(features: [id: string, longitude: number, latitude: number, properties: Properties][]): string {
  return JSON.stringify({
    type: 'FeatureCollection',
    features: features.map(([id, longitude, latitude, properties]) => ({
      type: 'Feature',
      id,
      properties,
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
    })),
  });
}

const hall = { leisure: 'sports_centre', sport: 'climbing', indoor: 'yes' };
const file = collection([
  ['node/1', 2.17, 41.4, { ...hall, name: 'Sala Vertical' }],
  ['way/2', 2.1701, 41.4, { ...hall, name: 'Sala Vertical Escalada', phone: '+34 1' }],
  ['node/3', 2.2, 41.5, { ...hall, name: 'Bloc' }],
  ['node/4', 2.3, 41.5, { sport: 'climbing', natural: 'cliff', name: 'Montserrat' }],
  ['node/3', 2.2, 41.5, { ...hall, name: 'Bloc' }],
]);

function run(text: string, more: Partial<ImportOptions> & ReadOptions = {}) {
  const { licence = 'ODbL-1.0', ...options } = { licence: undefined, ...more };
  const open = async () => openRecords(new Blob([text]), 'licence' in more ? { licence: more.licence } : { licence });
  return importCenters({ database, open, ...options });
}

function sum(report: Awaited<ReturnType<typeof importCenters>>): number {
  const { imported, updated, unchanged, merged, refused } = report;
  return imported + updated + unchanged + merged.length + refused.length;
}

async function snapshot() {
  const centers = await database.selectFrom('sport_centers').selectAll().orderBy('id').execute();
  const facilities = await database.selectFrom('sport_facilities').selectAll().orderBy('id').execute();
  const merges = await database.selectFrom('sport_center_merges').selectAll().orderBy('source_ref').execute();
  return { centers, facilities, merges };
}

describe('nothing is written', () => {
  it('of a broken file', async () => {
    await expect(run(file.slice(0, -20))).rejects.toThrow(ImportError);
    expect((await snapshot()).centers).toEqual([]);
  });

  it('in a dry run, which only reports', async () => {
    const report = await run(file, { dry_run: true });
    expect(report).toMatchObject({ dry_run: true, read: 5, imported: 2 });
    expect((await snapshot()).centers).toEqual([]);
  });

  it('when the database fails half-way', async () => {
    await sql`alter table sport_facilities add constraint no_climbing check (type <> 'climbing') not valid`.execute(
      database,
    );
    try {
      await expect(run(file)).rejects.toThrow(/no_climbing/);
    } finally {
      await sql`alter table sport_facilities drop constraint no_climbing`.execute(database);
    }
    expect((await snapshot()).centers).toEqual([]);
  });

  it('for the second time', async () => {
    await run(file);
    const before = await snapshot();
    const again = await run(file);
    expect(again).toMatchObject({ read: 5, imported: 0, updated: 0, unchanged: 2, enriched: 0 });
    expect(again.merged).toHaveLength(2);
    expect(await snapshot()).toEqual(before);
  });
});

describe('the stored center', () => {
  it('has each feature in one place of the report, and merges and refusals with names', async () => {
    const report = await run(file);
    expect(sum(report)).toBe(5);
    expect(report).toMatchObject({
      imported: 2,
      merged: [
        { ref: 'osm:node/1', into: 'osm:way/2' },
        { ref: 'osm:node/3', into: 'osm:node/3' },
      ],
      refused: [{ ref: 'osm:node/4', name: 'Montserrat', code: 'crag' }],
      by_reason: { crag: 1 },
    });
    const { centers, facilities, merges } = await snapshot();
    expect(centers.map(({ name }) => name).sort()).toEqual(['Bloc', 'Sala Vertical Escalada']);
    expect(facilities.map(({ type }) => type)).toEqual(['climbing', 'climbing']);
    expect(merges).toMatchObject([{ source: 'osm', source_ref: 'node/1' }]);
    for (const { id } of centers)
      expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it('is the rest of a file, where some texts could not be stored', async () => {
    const long = `${'x'.repeat(199)}🧗`;
    const text = collection([
      ['node/1', 2.17, 41.4, { ...hall, name: '\ud800 lone' }],
      ['node/2', 2.27, 41.4, { ...hall, name: 'Sala Uno', phone: '\udfff' }],
      ['x:a\u0000b', 2.37, 41.4, { ...hall, name: 'Sala\u0000\u202eDos' }],
      ['node/4', 2.47, 41.4, { ...hall, name: long, 'addr:full': `x${long}${long}` }],
    ]);
    const report = await run(text);
    expect(report).toMatchObject({ read: 4, imported: 2, by_reason: { invalid_text: 2 } });
    expect(sum(report)).toBe(4);
    const { centers } = await snapshot();
    expect(centers.map(({ name }) => name).sort()).toEqual(['Sala Dos', 'x'.repeat(199)]);
    expect(await run(text)).toMatchObject({ imported: 0, updated: 0, unchanged: 2 });
  });

  it('is updated under the same id, without losing a known fact', async () => {
    await run(file);
    const before = await snapshot();
    const moved = collection([
      ['way/2', 2.1702, 41.4, { ...hall, name: 'Vertical Nova' }],
      ['node/3', 2.2, 41.5, { ...hall, name: 'Bloc' }],
    ]);
    expect(await run(moved)).toMatchObject({ imported: 0, updated: 1, unchanged: 1 });
    const { centers } = await snapshot();
    expect(centers.map(({ id }) => id)).toEqual(before.centers.map(({ id }) => id));
    expect(centers.find(({ source_ref }) => source_ref === 'way/2')).toMatchObject({
      name: 'Vertical Nova',
      longitude: 2.1702,
      phone: '+34 1',
    });
    expect(await run(moved)).toMatchObject({ imported: 0, updated: 0, unchanged: 2 });
  });

  it('merges into an existing center of another source, which takes its facts once', async () => {
    await run(file);
    const other = collection([
      [
        'madrid:9',
        2.2002,
        41.5,
        { name: 'BLOC', types: ['climbing'], url: 'https://bloc.example', license: 'CC0-1.0' },
      ],
    ]);
    const options = { licence: undefined };
    expect(await run(other, options)).toMatchObject({
      imported: 0,
      enriched: 1,
      merged: [{ ref: 'madrid:9', into: 'osm:node/3' }],
    });
    const { centers } = await snapshot();
    expect(centers).toHaveLength(2);
    expect(centers.find(({ name }) => name === 'Bloc')).toMatchObject({
      url: 'https://bloc.example',
      licence: 'ODbL-1.0; CC0-1.0',
    });
    expect(await run(other, options)).toMatchObject({ imported: 0, enriched: 0, merged: [{ ref: 'madrid:9' }] });
    expect(await run(file)).toMatchObject({ imported: 0, updated: 0, unchanged: 2, enriched: 0 });
  });

  it('is a center of its own again where the merged reference names another one now', async () => {
    await run(file);
    const numbered = (latitude: number, name: string) =>
      collection([['madrid:9', 2.2002, latitude, { name, types: ['climbing'] }]]);
    expect(await run(numbered(41.5, 'Bloc'))).toMatchObject({ merged: [{ ref: 'madrid:9', into: 'osm:node/3' }] });
    const renumbered = numbered(41.51, 'Rocòdrom');
    expect(await run(renumbered, { dry_run: true })).toMatchObject({ imported: 1, merged_count: 0 });
    expect(await run(renumbered)).toMatchObject({ imported: 1, enriched: 0, merged_count: 0 });
    const { centers } = await snapshot();
    expect(centers.find(({ name }) => name === 'Bloc')).toMatchObject({ other_names: [] });
    expect(await run(renumbered)).toMatchObject({ unchanged: 1, merged_count: 0 });
    expect(
      await database.selectFrom('sport_center_merges').selectAll().where('source', '=', 'madrid').execute(),
    ).toEqual([]);
  });

  it('is only the first of two distant places with one reference, in each way of import', async () => {
    const twice = collection([
      ['madrid:9', 2.2, 41.5, { name: 'Bloc', types: ['climbing'] }],
      ['madrid:9', 2.2, 41.6, { name: 'Rocòdrom', types: ['climbing'], phone: '+34 1' }],
    ]);
    const refused = [{ ref: 'madrid:9', name: 'Rocòdrom', code: 'repeated_ref' }];
    expect(await run(twice)).toMatchObject({ read: 2, imported: 1, merged_count: 0, refused_count: 1, refused });
    expect(await run(twice)).toMatchObject({ read: 2, unchanged: 1, merged_count: 0, refused_count: 1, refused });
    expect((await snapshot()).centers).toMatchObject([{ name: 'Bloc', other_names: [], phone: null }]);
  });

  it('merges every pair of files to the same fixed point, also run by two operators at once', async () => {
    const [a, b] = await Promise.all([run(file), run(file)]);
    expect([a.imported + b.imported, a.unchanged + b.unchanged]).toEqual([2, 2]);
  });
});

describe('the starter set', () => {
  it('is loaded once, and only into an empty table', async () => {
    expect(await loadStarterCenters(database)).toBe(readStarterCenters().length);
    expect(await loadStarterCenters(database)).toBe(0);
    await sql`truncate sport_centers cascade`.execute(database);
    await run(file);
    expect(await loadStarterCenters(database)).toBe(0);
  });

  it('keeps its ids when the same places come with a file', async () => {
    await loadStarterCenters(database);
    const before = await snapshot();
    const known = before.centers.find(({ source_ref }) => source_ref === 'berlin-magic-mountain');
    const { name, longitude, latitude } = known ?? expect.fail('the starter set lacks the center of this test');
    const same = collection([['way/9', longitude, latitude + 0.0005, { ...hall, name, phone: '+49 30' }]]);
    const report = await run(same);
    expect(report).toMatchObject({
      imported: 0,
      enriched: 1,
      merged: [{ into: 'sendlap-starter:berlin-magic-mountain' }],
    });
    const after = await snapshot();
    expect(after.centers.map(({ id }) => id)).toEqual(before.centers.map(({ id }) => id));
    expect(after.centers.find((center) => center.name === name)).toMatchObject({ phone: '+49 30' });
  });
});
