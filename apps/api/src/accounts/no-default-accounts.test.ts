import { afterAll, beforeAll, expect, test } from 'vitest';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { readAllTables } from '#test/database/all-tables.ts';
import { addAccount } from './accounts.ts';

/** Tables of accounts, sessions and rights. */
const WAYS_IN = [
  'identities',
  'invites',
  'kiosks',
  'managers',
  'operators',
  'provider_accounts',
  'referees',
  'sessions',
];

let api: TestApp;
beforeAll(async () => {
  api = await buildTestApp();
});
afterAll(() => api.close());

/** Returns how many rows each of these tables has. */
async function countWaysIn(): Promise<Record<string, number | undefined>> {
  const all = await readAllTables(api.database);
  return Object.fromEntries(WAYS_IN.map((table) => [table, all[table]?.length]));
}

const NONE = Object.fromEntries(WAYS_IN.map((table) => [table, 0]));

test('a new server has no account, no session and no right; its only user replaces erased ones and is locked', async () => {
  expect(await countWaysIn()).toEqual(NONE);
  const users = await api.database.selectFrom('users').select(['id', 'is_active']).execute();
  expect(users).toEqual([{ id: DELETED_USER_ID, is_active: false }]);
});

test('an account that is added is counted', async () => {
  await addAccount(api.database, { email: 'ada@example.org', display_name: 'Ada', password: 'correct horse battery' });
  expect(await countWaysIn()).toEqual({ ...NONE, provider_accounts: 1 });
});
