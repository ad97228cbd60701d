import * as area_loads from '@sendlap/contract/area-loads.ts';
import * as street_loads from '@sendlap/contract/map/street-loads.ts';
import * as operator_calls from '@sendlap/contract/operators.ts';
import { suspendPerson } from '@sendlap/contract/server-management/people.ts';
import * as server_profile from '@sendlap/contract/server-profile.ts';
import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addAccount } from '#api/accounts/accounts.ts';
import { issueResetLink, MAILED_LIFETIME_MS, OPERATOR_LIFETIME_MS } from '#api/accounts/pages/password-resets.ts';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { countWaiting } from '#test/database/lock-waits.ts';
import { grantOperator, inviteOperator, revokeOperator } from './service.ts';

const PUBLIC_URL = 'http://localhost:8000';
const DAY_MS = 86_400_000;
const { redeemOperatorInvite, getMyOperatorRight } = operator_calls;

let api: TestApp;
let shift_ms = 0;
beforeAll(async () => {
  api = await buildTestApp({ now: () => new Date(Date.now() + shift_ms) });
});
afterAll(() => api.close());
beforeEach(async () => {
  shift_ms = 0;
  await api.database.deleteFrom('operators').execute();
  await api.database.deleteFrom('audit_entries').execute();
});

const call = (who: SignedIn | null, method: Endpoint['method'], url: string, payload?: object) =>
  api.app.inject({ method, url, headers: who?.headers ?? {}, ...(payload && { payload }) });

const redeem = (who: SignedIn | null, code: string) => call(who, 'POST', redeemOperatorInvite.path, { code });

async function makeCode(): Promise<string> {
  const { url } = await inviteOperator(api.database, PUBLIC_URL, new Date(Date.now() + shift_ms));
  return url.split('#')[1] ?? '';
}

const isOperator = async (who: SignedIn) => (await call(who, 'GET', getMyOperatorRight.path)).json().data.is_operator;
const acts = async () =>
  (await api.database.selectFrom('audit_entries').select(['act', 'actor_id']).orderBy('id').execute()).map(
    ({ act, actor_id }) => [act, actor_id],
  );

describe('a set-up address is refused', () => {
  test.each([
    ['without a session', async () => redeem(null, await makeCode()), 401, 'unauthenticated'],
    ['with another code', async (who: SignedIn) => redeem(who, 'abcd-efgh-jkmn'), 422, 'invite_unknown'],
    ['with what no code looks like', async (who: SignedIn) => redeem(who, 'a b'), 400, 'validation_failed'],
  ])('%s', async (_name, run, status, code) => {
    const who = await api.signIn('Ada');
    const reply = await run(who);
    expect([reply.statusCode, reply.json().code]).toEqual([status, code]);
    expect(await isOperator(who)).toBe(false);
  });

  test('after 24 hours', async () => {
    const [code, who] = [await makeCode(), await api.signIn('Ada')];
    shift_ms = DAY_MS + 1000;
    expect((await redeem(await api.signIn('Bo'), code)).json().code).toBe('invite_invalid');
    expect((await api.database.selectFrom('operators').select('user_id').execute()).length).toBe(0);
    expect(who.user.id).toBeTruthy();
  });

  test('the second time, by another user, and the attempt is in the audit trail', async () => {
    const [code, ada, bo] = [await makeCode(), await api.signIn('Ada'), await api.signIn('Bo')];
    expect((await redeem(ada, code)).json()).toMatchObject({ data: { is_operator: true } });
    expect((await redeem(bo, code)).json().code).toBe('invite_invalid');
    expect([await isOperator(ada), await isOperator(bo)]).toEqual([true, false]);
    expect(await acts()).toEqual([
      ['operator_invited', null],
      ['operator_invite_redeemed', ada.user.id],
      ['operator_invite_refused', bo.user.id],
    ]);
  });

  test('for the kinds of other invites', async () => {
    const code = await makeCode();
    const who = await api.signIn('Ada');
    const as_referee = await call(who, 'POST', '/v1/referees/invites/redeem', { code });
    const as_kiosk = await call(null, 'POST', '/v1/kiosks/pair', { code });
    expect([as_referee.json().code, as_kiosk.json().code]).toEqual(['invite_unknown', 'invite_unknown']);
    expect((await redeem(who, code)).statusCode).toBe(200);
  });
});

test('of ten users at once with one address, one becomes the operator', async () => {
  const code = await makeCode();
  const people = await Promise.all(Array.from({ length: 10 }, (_, at) => api.signIn(`Racer ${at}`)));
  const replies = await Promise.all(people.map((who) => redeem(who, code)));
  expect(replies.filter(({ statusCode }) => statusCode === 200).length).toBe(1);
  expect((await api.database.selectFrom('operators').select('user_id').execute()).length).toBe(1);
});

test('the same user may repeat the request, but a revoked right does not return', async () => {
  const [code, ada] = [await makeCode(), await api.signIn('Ada')];
  await redeem(ada, code);
  expect((await redeem(ada, code.toUpperCase().replaceAll('-', ''))).json().data).toEqual({ is_operator: true });
  await api.database.deleteFrom('operators').execute();
  expect((await redeem(ada, code)).json().code).toBe('invite_invalid');
  expect(await isOperator(ada)).toBe(false);
});

test('the code is stored as a hash only', async () => {
  const code = (await makeCode()).replaceAll('-', '');
  const rows = await api.database.selectFrom('invites').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(code);
});

describe('every call for operators is refused to all others', () => {
  const BODIES: Record<string, object> = {
    'PATCH /v1/server': { name: 'Club' },
    'POST /v1/street-loads': { town_id: 'geonames:3128026' },
  };
  const endpoints = [area_loads, street_loads, operator_calls, server_profile]
    .flatMap((module) => Object.values(module) as unknown[])
    .filter((value): value is Endpoint => typeof value === 'object' && value !== null && 'access' in value)
    .filter(({ access }) => access === 'operator');

  test('these calls exist', () => {
    expect(endpoints.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'DELETE /v1/street-loads/:id',
      'GET /v1/area-loads',
      'GET /v1/street-loads',
      'PATCH /v1/server',
      'POST /v1/street-loads',
    ]);
  });

  test.each(endpoints.map((each) => [`${each.method} ${each.path}`, each] as const))('%s', async (name, endpoint) => {
    const url = endpoint.path.replace(':id', '3f2b8c1e-6f0d-4f5e-9a57-0c1d2e3f4a5b');
    const send = (who: SignedIn | null) => call(who, endpoint.method, url, BODIES[name]);
    const codeOf = async (who: SignedIn | null) => (await send(who)).json().code;
    const [athlete, locked] = [await api.signIn('Ada'), await api.signIn('Lo')];
    await api.database.insertInto('operators').values({ user_id: locked.user.id }).execute();
    await call(locked, 'DELETE', '/v1/users/me');
    expect([await codeOf(null), await codeOf(athlete), await codeOf(locked)]).toEqual([
      'unauthenticated',
      'not_an_operator',
      // Locking an account ends its sessions.
      'unauthenticated',
    ]);
    expect(await api.database.selectFrom('server_profile').selectAll().execute()).toEqual([]);
    expect(await api.database.selectFrom('area_loads').selectAll().execute()).toEqual([]);
    expect(await api.database.selectFrom('street_loads').selectAll().execute()).toEqual([]);
  });
});

test('a right that ends while another begins by an older address: both happen, and no address is left', async () => {
  const [ends, begins] = [await api.signIn('Ada'), await api.signIn('Bo')];
  await grantOperator(api.database, ends.user.id);
  await makeCode();
  const code = await makeCode();
  const isWaiting = async (count: number) => {
    const { rows } = await sql`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      api.database,
    );
    return rows.length === count;
  };
  const both = await api.database.transaction().execute(async (trx) => {
    // The redemption waits in the middle.
    await trx.insertInto('operators').values({ user_id: begins.user.id }).execute();
    const redeemed = redeem(begins, code);
    await expect.poll(() => isWaiting(1)).toBe(true);
    const revoked = revokeOperator(api.database, ends.user.id);
    await expect.poll(() => isWaiting(2)).toBe(true);
    await trx.deleteFrom('operators').where('user_id', '=', begins.user.id).execute();
    return { redeemed, revoked };
  });
  expect([(await both.redeemed).statusCode, await both.revoked]).toEqual([200, true]);
  expect([await isOperator(ends), await isOperator(begins)]).toEqual([false, true]);
  const unused = api.database.selectFrom('invites').select('kind').where('used_at', 'is', null);
  expect(await unused.execute()).toEqual([]);
});

test('with the right of an operator, the unused links to choose a password end, but not those sent by mail', async () => {
  const eve = await api.signIn('Eve');
  await grantOperator(api.database, eve.user.id);
  const account = { email: 'pat@club.example', display_name: 'Pat', password: 'correct horse battery' };
  const added = await addAccount(api.database, account);
  const account_id = typeof added === 'string' ? '' : added.id;
  const issue = async (lifetime_ms: number) =>
    (await issueResetLink(api.database, { account_id, lifetime_ms, public_url: PUBLIC_URL })).link;
  const statusOf = async (link: string) => (await api.app.inject({ url: link.slice(PUBLIC_URL.length) })).statusCode;
  const links = [await issue(OPERATOR_LIFETIME_MS), await issue(MAILED_LIFETIME_MS)];
  expect(await Promise.all(links.map(statusOf))).toEqual([200, 200]);
  await revokeOperator(api.database, eve.user.id);
  expect(await Promise.all(links.map(statusOf))).toEqual([400, 200]);
});

test('an account that is suspended at the same time does not become an operator', async () => {
  const [code, olga, bo] = [await makeCode(), await api.signIn('Olga'), await api.signIn('Bo')];
  await grantOperator(api.database, olga.user.id);
  const url = suspendPerson.path.replace(':public_id', bo.user.public_id);
  const calls = await api.database.transaction().execute(async (trx) => {
    // The suspension waits in the middle, for its line in the audit trail.
    await sql`lock table audit_entries in share mode`.execute(trx);
    const suspension = call(olga, 'PUT', url, { reason: 'fraud' });
    await expect.poll(() => countWaiting(api.database)).toBe(1);
    const redemption = redeem(bo, code);
    await expect.poll(() => countWaiting(api.database)).toBe(2);
    return { suspension, redemption };
  });
  expect([(await calls.suspension).statusCode, (await calls.redemption).json().code]).toEqual([200, 'conflict']);
  const operators = await api.database.selectFrom('operators').select('user_id').execute();
  expect(operators).toEqual([{ user_id: olga.user.id }]);
});
