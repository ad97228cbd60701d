import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#api/database/database.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { type ImportOptions, importCenters } from './import-centers.ts';
import { openRecords } from './read/open-records.ts';

let database: Database;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
});

afterAll(() => close());

beforeEach(async () => {
  await sql`truncate sport_centers cascade`.execute(database);
});

const hall = { leisure: 'sports_centre', sport: 'climbing', indoor: 'yes' };
const feature = (id: string, longitude: number, properties: Record<string, unknown> = {}) => ({
  type: 'Feature',
  id,
  properties: { ...hall, name: `Sala ${id}`, license: 'ODbL-1.0', ...properties },
  geometry: { type: 'Point', coordinates: [longitude, 41.4] },
});
const five = [1, 2, 3, 4, 5].map((number) => feature(`node/${number}`, 2 + number / 10));

function run(features: object[], options: Partial<ImportOptions> = {}) {
  const open = async () => openRecords(new Blob([JSON.stringify({ type: 'FeatureCollection', features })]));
  return importCenters({ database, open, ...options });
}

async function closedRefs(): Promise<string[]> {
  const rows = await database
    .selectFrom('sport_centers')
    .select('source_ref')
    .where('closed_at', 'is not', null)
    .orderBy('source_ref')
    .execute();
  return rows.map(({ source_ref }) => source_ref);
}

const version = async () =>
  (await database.selectFrom('sport_center_version').select('version').executeTakeFirstOrThrow()).version;

describe('no center is closed', () => {
  it('by a file that does not say that it is complete', async () => {
    await run(five);
    expect(await run(five.slice(0, 4))).toMatchObject({ unchanged: 4, closed: 0 });
    expect(await closedRefs()).toEqual([]);
  });

  it('where more than a third would be, unless the operator agrees; a dry run says so', async () => {
    await run(five);
    const half = five.slice(0, 3);
    await expect(run(half, { complete: {} })).rejects.toThrow(
      '2 of 5 open centers of osm are not in it: is the file whole? --yes closes them',
    );
    expect(await closedRefs()).toEqual([]);
    const dry = await run(half, { complete: {}, dry_run: true });
    expect(dry).toMatchObject({ closed: 2, notes: [expect.stringContaining('--yes')] });
    expect(await closedRefs()).toEqual([]);
    expect(await run(half, { complete: {}, may_close_many: true })).toMatchObject({ closed: 2 });
    expect(await closedRefs()).toEqual(['node/4', 'node/5']);
  });

  it('of another source, or that another source still knows', async () => {
    await run(five);
    await run([feature('madrid:1', 2.9), feature('madrid:2', 2.5001, { name: 'Sala node/5' })]);
    expect(await run(five.slice(0, 4), { complete: {} })).toMatchObject({ closed: 0 });
    expect(await closedRefs()).toEqual([]);
    // Once Madrid's own complete file lacks it too, no source knows it.
    expect(await run([feature('madrid:1', 2.9)], { complete: {} })).toMatchObject({ closed: 0 });
    expect(await run(five.slice(0, 4), { complete: {} })).toMatchObject({ closed: 1 });
    expect(await closedRefs()).toEqual(['node/5']);
  });

  it('that the file has as another record of the same center', async () => {
    await run(five);
    const drawn = feature('way/50', 2.5001, { name: 'Sala node/5' });
    const report = await run([...five.slice(0, 4), drawn], { complete: {} });
    expect(report).toMatchObject({ closed: 0, merged: [{ ref: 'osm:way/50', into: 'osm:node/5' }] });
  });

  it('of a source that would lose more than a third, however many centers the others have', async () => {
    const three = ['madrid:1', 'madrid:2', 'madrid:3'].map((ref, at) => feature(ref, 3 + at / 10));
    await run([...five, ...three]);
    await expect(run([...five, ...three.slice(0, 1)], { complete: {} })).rejects.toThrow(
      '2 of 3 open centers of madrid are not in it: is the file whole? --yes closes them',
    );
    expect(await closedRefs()).toEqual([]);
  });

  it('if its record is present but unreadable, or is that of a place merged into it', async () => {
    const drawn = feature('way/50', 2.5001, { name: 'Sala node/5' });
    await run([...five, drawn]);
    const nowhere = (record: object) => ({ ...record, geometry: null });
    const slip = await run([...five.slice(0, 4), nowhere(feature('node/5', 2.5))], { complete: {} });
    expect(slip).toMatchObject({ refused_count: 1, closed: 0 });
    expect(await run([...five.slice(0, 4), nowhere(drawn)], { complete: {} })).toMatchObject({ closed: 0 });
    expect(await run(five.slice(0, 4), { complete: {} })).toMatchObject({ closed: 1 });
  });

  it('outside of the box that the file is complete for', async () => {
    await run(five);
    const box = { west: 2.05, south: 41, east: 2.35, north: 42 };
    const report = await run(five.slice(0, 2), { complete: { sources: ['osm'], box } });
    expect(report).toMatchObject({ closed: 1 });
    expect(await closedRefs()).toEqual(['node/3']);
  });
});

describe('a center that its source no longer has', () => {
  it('is closed once, keeps its row, and opens again when it is back, in a file that need not be complete', async () => {
    await run(five);
    const { id } = await database
      .selectFrom('sport_centers')
      .select('id')
      .where('source_ref', '=', 'node/5')
      .executeTakeFirstOrThrow();
    const four = five.slice(0, 4);
    expect(await run(four, { complete: {} })).toMatchObject({ read: 4, unchanged: 4, closed: 1, reopened: 0 });
    const before = await version();
    expect(await run(four, { complete: {} })).toMatchObject({ read: 4, unchanged: 4, closed: 0, reopened: 0 });
    expect(await version()).toBe(before);
    expect(await run(five, { dry_run: true })).toMatchObject({ reopened: 1 });
    expect(await closedRefs()).toEqual(['node/5']);
    expect(await run(five)).toMatchObject({ imported: 0, unchanged: 5, reopened: 1 });
    expect(await closedRefs()).toEqual([]);
    expect(await version()).not.toBe(before);
    const again = database.selectFrom('sport_centers').select('id').where('source_ref', '=', 'node/5');
    expect(await again.executeTakeFirstOrThrow()).toEqual({ id });
  });

  it('is closed too if its record is present but refused', async () => {
    await run(five);
    const cliff = feature('node/5', 2.5, { natural: 'cliff', leisure: undefined, indoor: undefined });
    expect(await run([...five.slice(0, 4), cliff], { complete: {} })).toMatchObject({ refused_count: 1, closed: 1 });
  });
});
