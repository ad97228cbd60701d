import {
  type CenterDetails,
  getCenterDetails,
  updateCenterDetails,
} from '@sendlap/contract/center-management/center-details.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RawJson } from '#api/http/raw-json.ts';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { countWaiting } from '#test/database/lock-waits.ts';
import { callEndpoint } from '#test/scenes/managed-center.ts';
import { makeManager } from '#test/scenes/right-holders.ts';
import { putEditsInForce } from '../edits/edits.ts';
import { importCenters } from '../import/import-centers.ts';
import { openRecords } from '../import/read/open-records.ts';
import { createSportCenterService } from '../service.ts';

let api: TestApp;
let center: string;
let [mia, noa]: SignedIn[] = [];
beforeAll(async () => {
  api = await buildTestApp();
});
afterAll(() => api.close());
beforeEach(async () => {
  for (const table of ['audit_entries', 'sport_centers'] as const) await api.database.deleteFrom(table).execute();
  await load();
  ({ id: center } = await api.database.selectFrom('sport_centers').select('id').executeTakeFirstOrThrow());
  mia = await makeManager(api, 'Mia', center);
  noa = await makeManager(api, 'Noa', center);
});

/** Imports a file of OpenStreetMap that has the pool with these facts. */
async function load(tags: Record<string, string> = {}) {
  const properties = { leisure: 'sports_centre', sport: 'swimming', name: 'Piscina Vieja', phone: '+34 1', ...tags };
  const geometry = { type: 'Point', coordinates: [2.17, 41.4] };
  const text = JSON.stringify({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', id: 'node/1', properties, geometry }],
  });
  const open = async () => openRecords(new Blob([text]), { licence: 'ODbL-1.0' });
  return await importCenters({ database: api.database, open });
}

const dataOf = <Data>(reply: RawJson<Data>): Data => JSON.parse(String(reply.body)).data;
const read = async (): Promise<CenterDetails> =>
  (await callEndpoint(api, getCenterDetails, { who: mia ?? null, params: { id: center } })).data;
const update = (body: object, who = mia) =>
  callEndpoint(api, updateCenterDetails, { who: who ?? null, params: { id: center }, body });
const acts = () => api.database.selectFrom('audit_entries').select(['act', 'actor_id', 'details']).execute();

describe('refused, and nothing is changed:', () => {
  test('the 31st change of an hour, to this manager alone', async () => {
    for (let version = 0; version < 30; version += 1)
      expect((await update({ version, phone: `+34 ${version}00` })).status).toBe(200);
    expect(await update({ version: 30, phone: '+34 999' })).toMatchObject({ status: 429, code: 'too_many_requests' });
    expect([(await read()).version, (await acts()).length]).toEqual([30, 30]);
    expect((await update({ version: 30, phone: '+34 999' }, noa)).status).toBe(200);
  });

  test.each([
    ['an empty name', { name: '  ' }],
    ['a name of invisible characters', { name: '\u200b\u202e' }],
    ['a name that is too long', { name: 'x'.repeat(121) }],
    ['no name', { name: null }],
    ['a phone without a number', { phone: 'ask at the desk' }],
    ['a web site that is no address', { url: 'our site' }],
    ['a web site of another scheme', { url: 'javascript:alert(1)' }],
    ['a web site that imitates another host', { url: 'https://bank.example@evil.example/' }],
    ['a web site at a port that does not exist', { url: 'https://club.example:99999' }],
    ['no sport', { sports: [] }],
    ['a sport that does not exist', { sports: ['chess'] }],
    ['a pool of no length', { pool_lengths_m: [0] }],
    ['a pool longer than any', { pool_lengths_m: [1000] }],
    ['too many pools', { pool_lengths_m: [10, 11, 12, 13, 14, 15, 16, 17, 18] }],
    ['a field that managers do not set', { latitude: 1 }],
    ['an invalid version', { version: -1, name: 'Piscina' }],
  ])('%s', async (_name, body) => {
    const before = await read();
    expect(await update({ version: 0, ...body })).toMatchObject({ status: 400, code: 'validation_failed' });
    expect([await read(), await acts()]).toEqual([before, []]);
  });

  test('the change of a version that another manager has changed', async () => {
    expect((await update({ version: 0, phone: '+34 2' })).data).toMatchObject({ version: 1, phone: '+34 2' });
    expect(await update({ version: 0, phone: '+34 3' }, noa)).toMatchObject({ status: 409, code: 'center_changed' });
    expect(await read()).toMatchObject({ version: 1, phone: '+34 2' });
    expect(await acts()).toHaveLength(1);
  });
});

test('of two managers at once one changes the center, and the other one gets a refusal', async () => {
  const replies = await Promise.all([
    update({ version: 0, phone: '+34 2' }),
    update({ version: 0, phone: '+34 3' }, noa),
  ]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await read()).version).toBe(1);
});

test('a repeated request is answered as the first one, and is in the audit trail once', async () => {
  const body = { version: 0, name: 'Piscina Nueva' };
  await update(body);
  expect(await update(body)).toMatchObject({ status: 200, data: { version: 1, name: 'Piscina Nueva' } });
  expect(await acts()).toEqual([
    { act: 'center_details_changed', actor_id: mia?.user.id, details: { sport_center_id: center, fields: ['name'] } },
  ]);
});

test('all facts are set, cleaned, and shown by the search and on the page of the center', async () => {
  const body = {
    name: ' Piscina  Ñuñoa\u202e ',
    address: 'Calle Mayor 1',
    phone: '+34 948 00 00 00',
    url: 'https://piscina.example/es?x=1',
    is_private: false,
    sports: ['swimming', 'climbing', 'swimming'],
    pool_lengths_m: [50, 25, 33.33, 25],
  };
  const { data } = await update({ version: 0, ...body });
  const facts = { ...body, name: 'Piscina Ñuñoa', sports: ['climbing', 'swimming'], pool_lengths_m: [25, 33.33, 50] };
  expect(data).toMatchObject({ ...facts, version: 1, source_facts: { name: 'Piscina Vieja', phone: '+34 1' } });
  const service = await createSportCenterService({ database: api.database });
  const shown = dataOf(service.getSportCenter(center));
  const { sports, ...texts } = facts;
  expect(shown).toMatchObject(texts);
  expect(shown.sport_facilities.map(({ type }) => type)).toEqual(sports);
  const found = dataOf(await service.searchSportCenters({ q: 'nunoa', limit: 10 }));
  expect(found.items.map(({ id }) => id)).toEqual([center]);
  // Lists stay small.
  expect(found.items[0]).not.toHaveProperty('pool_lengths_m');
  service.close();
});

test('a center without swimming has no pool lengths', async () => {
  await update({ version: 0, pool_lengths_m: [25] });
  expect((await update({ version: 1, sports: ['climbing'] })).data).toMatchObject({
    sports: ['climbing'],
    pool_lengths_m: [],
  });
});

describe('an import', () => {
  test('keeps the facts that a manager set, and changes the rest', async () => {
    await update({ version: 0, phone: '+34 999', sports: ['climbing'], url: null });
    const { updated } = await load({ phone: '+34 2', website: 'https://new.example', name: 'Piscina Otra' });
    expect(updated).toBe(1);
    expect(await read()).toMatchObject({
      name: 'Piscina Otra',
      phone: '+34 999',
      sports: ['climbing'],
      source_facts: { phone: '+34 2', sports: ['swimming'] },
    });
    const facilities = await api.database.selectFrom('sport_facilities').select('type').execute();
    expect(facilities).toEqual([{ type: 'climbing' }]);
  });

  test('of the same file once more writes nothing', async () => {
    await update({ version: 0, phone: '+34 999', name: 'Piscina Nueva' });
    const before = await api.database.selectFrom('sport_centers').selectAll().execute();
    expect(await load()).toMatchObject({ unchanged: 1, updated: 0, imported: 0 });
    expect(await api.database.selectFrom('sport_centers').selectAll().execute()).toEqual(before);
  });

  test('lets a removed edit fall back to the newest value of the source', async () => {
    await update({ version: 0, phone: '+34 999', name: 'Piscina Nueva' });
    await load({ phone: '+34 2' });
    const { version, source_facts } = await read();
    const { data } = await update({ version, phone: source_facts.phone });
    expect(data).toMatchObject({ phone: '+34 2', name: 'Piscina Nueva', source_facts: { name: 'Piscina Vieja' } });
    expect(Object.keys(data.source_facts)).toEqual(['name']);
    await load({ phone: '+34 3' });
    expect(await read()).toMatchObject({ phone: '+34 3', name: 'Piscina Nueva' });
  });

  test('beside changes by managers loses none of them', async () => {
    const [report] = await Promise.all([
      load({ phone: '+34 2', website: 'https://new.example' }),
      update({ version: 0, name: 'Piscina Nueva' }),
    ]);
    expect(report.updated).toBe(1);
    const details = await read();
    expect(details).toMatchObject({ name: 'Piscina Nueva', phone: '+34 2' });
    expect(details.source_facts).toEqual({ name: 'Piscina Vieja' });
  });

  test('finds the center again by its name in the source', async () => {
    await update({ version: 0, name: 'Something else entirely' });
    const { merged } = await load({ phone: '+34 5' });
    expect(merged).toEqual([]);
    expect(await api.database.selectFrom('sport_centers').select('id').execute()).toEqual([{ id: center }]);
  });
});

test('an edit and an import of its center at the same time: both are saved', async () => {
  const { version } = await read();
  const edited = await api.database.transaction().execute(async (trx) => {
    // As an import that has saved other centers before.
    await sql`update sport_center_version set version = version + 1`.execute(trx);
    const edit = update({ version, name: 'Piscina Nueva' });
    await expect.poll(() => countWaiting(api.database)).toBe(1);
    await putEditsInForce(trx, [{ ...(await read()), id: center }]);
    return { edit };
  });
  expect((await edited.edit).data.name).toBe('Piscina Nueva');
});
