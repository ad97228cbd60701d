import { getServerProfile, updateServerProfile } from '@sendlap/contract/server-profile.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';

const BARCELONA = 'geonames:3128760';

let api: TestApp;
let operator: SignedIn;
beforeAll(async () => {
  api = await buildTestApp();
  operator = await api.signIn('Olga');
});
afterAll(() => api.close());

const read = async (of: TestApp = api) => (await of.app.inject({ url: getServerProfile.path })).json().data;
const update = (payload: object) =>
  api.app.inject({ method: 'PATCH', url: updateServerProfile.path, headers: operator.headers, payload });

test('a new server has no name and no town, and waits for its operator', async () => {
  expect(await read()).toEqual({
    name: null,
    town: null,
    area_loads: 'everyone',
    has_streets: false,
    join_url: 'http://localhost:8000',
    is_waiting_for_operator: true,
  });
  await api.database.insertInto('operators').values({ user_id: operator.user.id }).execute();
  expect((await read()).is_waiting_for_operator).toBe(false);
  // A locked account cannot sign in.
  const lock = (is_active: boolean) =>
    api.database.updateTable('users').set({ is_active }).where('id', '=', operator.user.id).execute();
  await lock(false);
  expect((await read()).is_waiting_for_operator).toBe(true);
  await lock(true);
});

describe('a change is refused, and changes nothing,', () => {
  test.each([
    ['an empty name', { name: '  ' }, 'validation_failed'],
    ['a name of 41 characters', { name: 'x'.repeat(41) }, 'validation_failed'],
    ['an invalid id', { town_id: 'Barcelona' }, 'validation_failed'],
    ['an unknown field', { colour: 'red' }, 'validation_failed'],
    ['an unknown right', { area_loads: 'friends' }, 'validation_failed'],
    ['a town that does not exist', { name: 'Club', town_id: 'geonames:1' }, 'town_unknown'],
  ])('with %s', async (_name, body, code) => {
    const before = await read();
    expect((await update(body)).json().code).toBe(code);
    expect(await read()).toEqual(before);
  });
});

test('name and town are changed each on its own, removed by null, and each change is in the audit trail', async () => {
  expect((await update({ name: '  Club Natació ' })).json().data).toMatchObject({ name: 'Club Natació', town: null });
  const { town } = (await update({ town_id: BARCELONA })).json().data;
  expect(town).toMatchObject({ id: BARCELONA, name: 'Barcelona', country: 'ES', radius_km: 20 });
  expect(await read()).toMatchObject({ name: 'Club Natació', town: { name: 'Barcelona' } });
  expect((await update({ name: null })).json().data).toMatchObject({ name: null, town: { name: 'Barcelona' } });
  await update({ town_id: null });
  expect(await read()).toMatchObject({ name: null, town: null });
  const entries = await api.database.selectFrom('audit_entries').select(['act', 'actor_id', 'details']).execute();
  expect(entries.map(({ details }) => details)).toEqual([
    { name: 'Club Natació' },
    { town_id: BARCELONA },
    { name: null },
    { town_id: null },
  ]);
  expect(new Set(entries.map(({ actor_id }) => actor_id))).toEqual(new Set([operator.user.id]));
});

test('strangers at a public address do not learn that the operator is missing', async () => {
  const public_server = await buildTestApp({ env: { PUBLIC_URL: 'https://club.example' } });
  expect(await read(public_server)).toMatchObject({
    is_waiting_for_operator: false,
    join_url: 'https://club.example',
  });
  await public_server.close();
});
