import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Trx } from '#api/database/database.ts';
import { PERSONAL_TABLES } from '#api/database/personal-data.ts';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { CALLBACK } from '#test/app/sign-in.ts';
import { countRowsRead } from '#test/database/rows-read.ts';
import { addAccount } from '../accounts.ts';
import { cancelPendingSignIns } from '../pages/password-resets.ts';
import { rowRefersTo } from '../person-ids.ts';
import { createRecordPruning } from './record-store.ts';

/** Of a minute and an IP address, as for `authorize`. */
const LIMIT = 60;
const BEGIN = `/oidc/auth?${new URLSearchParams({
  client_id: 'sendlap',
  response_type: 'code',
  scope: 'openid',
  redirect_uri: CALLBACK,
  code_challenge: 'c'.repeat(43),
  code_challenge_method: 'S256',
  nonce: 'nonce',
})}`;

let test_app: TestApp;
beforeAll(async () => {
  test_app = await buildTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => test_app.close());
// No minute ends during a test. The timers that the database needs stay real.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

let addresses = 0;
/** A visitor with an IP address of their own. */
function newVisitor() {
  addresses += 1;
  const headers = { 'x-forwarded-for': `198.51.100.${addresses}`, accept: 'text/html' };
  return async (url: string, method: 'GET' | 'HEAD' | 'POST' = 'GET', cookie = '') =>
    test_app.app.inject({ method, url, headers: { ...headers, cookie } });
}

async function countRecords(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from provider_records`.execute(
    test_app.database,
  );
  return rows[0]?.count ?? 0;
}

describe('a stranger who fills the store of sign-ins', () => {
  test('may begin 60 a minute at one IP address, then gets a page that says when to come back', async () => {
    const visit = newVisitor();
    const before = await countRecords();
    for (let count = 1; count <= LIMIT; count += 1) expect((await visit(BEGIN)).statusCode).toBe(303);
    const refused = await visit(BEGIN);
    expect([refused.statusCode, Number(refused.headers['retry-after'])]).toEqual([429, 60]);
    expect(refused.headers['content-type']).toContain('text/html');
    expect(refused.body).toContain('Too many sign-ins');
    expect(await countRecords()).toBe(before + LIMIT);
    expect((await newVisitor()(BEGIN)).statusCode).toBe(303);
  });

  test.each<[string, 'GET' | 'HEAD', string]>([
    ['as HEAD', 'HEAD', BEGIN],
    ['at a path in capitals', 'GET', BEGIN.replace('/auth', '/AUTH')],
    ['at a path with a slash', 'GET', BEGIN.replace('/auth', '/auth/')],
  ])('may not begin more %s', async (_name, method, url) => {
    const visit = newVisitor();
    for (let count = 1; count <= LIMIT; count += 1) await visit(url, method);
    const before = await countRecords();
    expect((await visit(url, method)).statusCode).toBe(429);
    expect(await countRecords()).toBe(before);
  });

  test('may return 60 times a minute', async () => {
    const visit = newVisitor();
    const begun = await visit(BEGIN);
    const cookie = begun.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const uid = String(begun.headers.location).split('/').at(-1);
    const statuses = await Promise.all(
      Array.from({ length: LIMIT + 5 }, async () => (await visit(`/oidc/auth/${uid}`, 'GET', cookie)).statusCode),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  });

  test('may post the form 120 times a minute, then gets the page', async () => {
    const visit = newVisitor();
    const posts = Array.from({ length: 2 * LIMIT + 5 }, () => visit('/oidc/interaction/none/sign-in', 'POST'));
    const statuses = (await Promise.all(posts)).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    expect((await visit('/oidc/interaction/none/sign-in', 'POST')).body).toContain('Too many sign-ins');
    expect((await newVisitor()('/oidc/interaction/none/sign-in', 'POST')).statusCode).not.toBe(429);
  });

  test('may not send an address of more than 2 KB', async () => {
    const visit = newVisitor();
    const before = await countRecords();
    const refused = await visit(`${BEGIN}&state=${'s'.repeat(2_048)}`);
    expect([refused.statusCode, refused.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
    expect(await countRecords()).toBe(before);
    expect((await visit(`${BEGIN}&state=${'s'.repeat(1_000)}`)).statusCode).toBe(303);
  });
});

test('a class of thirty behind one IP address begins and ends its sign-ins within a minute', async () => {
  const visit = newVisitor();
  for (let pupil = 1; pupil <= 30; pupil += 1) {
    const begun = await visit(BEGIN);
    const cookie = begun.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const uid = String(begun.headers.location).split('/').at(-1);
    expect([begun.statusCode, (await visit(`/oidc/auth/${uid}`, 'GET', cookie)).statusCode]).toEqual([303, 303]);
  }
});

/** Adds interactions as large as a stranger can make them. */
async function addRecords(count: number, age_minutes: number): Promise<void> {
  await sql`
    insert into provider_records (model, id, payload, expires_at)
    select 'Interaction', gen_random_uuid()::text,
      jsonb_build_object('kind', 'Interaction', 'params', jsonb_build_object('state', repeat(md5(n::text), 60))),
      now() + interval '30 minutes' - make_interval(mins => ${age_minutes})
    from generate_series(1, ${count}::int) n`.execute(test_app.database);
}

test('a job removes all expired records, also more than one batch, and no other', async () => {
  await addRecords(5, 0);
  const pruning = createRecordPruning({ database: test_app.database, log: { warn() {} } });
  await pruning.run();
  const before = await countRecords();
  await addRecords(2_500, 32);
  // The app's own job may take a part.
  await pruning.run();
  expect(await countRecords()).toBe(before);
});

describe('with thousands of sign-ins under way', () => {
  beforeAll(() => addRecords(3_000, 0));

  test('a new password ends those of its account, and reads no others', async () => {
    const { database } = test_app;
    const account = await addAccount(database, {
      email: 'reset@example.org',
      display_name: 'Ada',
      password: 'a long one',
    });
    if (typeof account === 'string') throw new Error(account);
    const own = [
      { accountId: account.id },
      { result: { login: { accountId: account.id } } },
      { session: { accountId: account.id } },
    ];
    for (const payload of own) {
      const row = { model: 'Interaction', id: randomUUID(), payload: JSON.stringify(payload), expires_at: null };
      await database.insertInto('provider_records').values(row).execute();
    }
    const before = await countRecords();
    expect(await countRowsRead(database, (trx) => cancelPendingSignIns(trx, account.id))).toBeLessThan(50);
    expect(await countRecords()).toBe(before - own.length);
  });

  test('a download of my data reads no others', async () => {
    const accounts = [randomUUID()];
    const [records] = PERSONAL_TABLES.filter(({ table }) => table === 'provider_records');
    if (!records) throw new Error('the table is not listed');
    const condition = rowRefersTo(records, { user: randomUUID(), sessions: [], chats: [], accounts });
    const read = (trx: Trx) => sql`select from provider_records where ${condition}`.execute(trx);
    expect(await countRowsRead(test_app.database, read)).toBeLessThan(50);
  });
});
