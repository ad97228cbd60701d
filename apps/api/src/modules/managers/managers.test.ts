import { randomUUID } from 'node:crypto';
import { inviteManager, inviteReferee, revokeManager } from '@sendlap/contract/center-management/center-staff.ts';
import { listMyManagerRights, redeemManagerInvite } from '@sendlap/contract/center-management/managers.ts';
import { redeemRefereeInvite } from '@sendlap/contract/referees.ts';
import { erasePerson, suspendPerson } from '@sendlap/contract/server-management/people.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { countWaiting } from '#test/database/lock-waits.ts';
import { makeCenter } from '#test/factories.ts';
import { callEndpoint } from '#test/scenes/managed-center.ts';
import { makeManager, makeOperator } from '#test/scenes/right-holders.ts';
import { listManagers } from './service.ts';

const DAY_MS = 86_400_000;

let api: TestApp;
let operator: SignedIn;
let center: string;
let shift_ms = 0;
beforeAll(async () => {
  api = await buildTestApp({ now: () => new Date(Date.now() + shift_ms) });
  operator = await makeOperator(api, 'Olga');
});
afterAll(() => api.close());
beforeEach(async () => {
  shift_ms = 0;
  center = await makeCenter(api.database);
  await api.database.deleteFrom('audit_entries').execute();
});

const invite = (who = operator) => callEndpoint(api, inviteManager, { who, params: { id: center } });
const makeCode = async (): Promise<string> => (await invite()).data.code;
const redeem = (who: SignedIn | null, code: string) => callEndpoint(api, redeemManagerInvite, { who, body: { code } });
const revoke = (who: SignedIn, subject: SignedIn) =>
  callEndpoint(api, revokeManager, { who, params: { id: center, public_id: subject.user.public_id } });
const listRights = async (who: SignedIn) => (await callEndpoint(api, listMyManagerRights, { who })).data.items;
const listNames = async () => (await listManagers(api.database, center)).map(({ name }) => name);
const acts = async () =>
  (
    await api.database.selectFrom('audit_entries').select(['act', 'actor_id', 'subject_id']).orderBy('id').execute()
  ).map(({ act, actor_id, subject_id }) => [act, actor_id, subject_id]);

describe('an invite is refused', () => {
  test.each([
    ['without a session', () => makeCode(), null, 401, 'unauthenticated'],
    ['with another code', async () => 'abcd-efgh-jkmn', 'Ada', 422, 'invite_unknown'],
    ['with what no code looks like', async () => 'a b', 'Ada', 400, 'validation_failed'],
  ])('%s', async (_name, makeCodeOf, name, status, code) => {
    const who = name === null ? null : await api.signIn(name);
    expect(await redeem(who, await makeCodeOf())).toMatchObject({ status, code });
    expect(await listNames()).toEqual([]);
  });

  test('after 24 hours, once its center is closed, and once it was used', async () => {
    const [code, used, ada] = [await makeCode(), await makeCode(), await api.signIn('Ada')];
    await redeem(await api.signIn('Bo'), used);
    expect((await redeem(ada, used)).code).toBe('invite_invalid');
    await api.database.updateTable('sport_centers').set({ closed_at: new Date() }).where('id', '=', center).execute();
    expect([(await redeem(ada, code)).code, (await invite()).code]).toEqual(['invite_invalid', 'sport_center_closed']);
    await api.database.updateTable('sport_centers').set({ closed_at: null }).where('id', '=', center).execute();
    shift_ms = DAY_MS + 1000;
    expect((await redeem(await api.signIn('Cleo'), code)).code).toBe('invite_invalid');
    expect(await listNames()).toEqual(['Bo']);
    expect((await acts()).filter(([act]) => act === 'manager_invite_refused')).toHaveLength(3);
  });

  test('for the kinds of other invites', async () => {
    const ada = await api.signIn('Ada');
    const { data: referee } = await callEndpoint(api, inviteReferee, { who: operator, params: { id: center } });
    expect((await redeem(ada, referee.code)).code).toBe('invite_unknown');
    const body = { code: await makeCode() };
    expect((await callEndpoint(api, redeemRefereeInvite, { who: ada, body })).code).toBe('invite_unknown');
  });
});

test('a center or user that does not exist is refused', async () => {
  const params = { id: randomUUID(), public_id: operator.user.public_id };
  for (const endpoint of [inviteManager, revokeManager])
    expect((await callEndpoint(api, endpoint, { who: operator, params })).code).toBe('sport_center_not_found');
  const unknown = { id: center, public_id: 'none' };
  expect((await callEndpoint(api, revokeManager, { who: operator, params: unknown })).code).toBe('user_not_found');
});

test('of ten users at once with one invite, one becomes the manager', async () => {
  const code = await makeCode();
  const people = await Promise.all(Array.from({ length: 10 }, (_, at) => api.signIn(`Racer ${at}`)));
  const replies = await Promise.all(people.map((who) => redeem(who, code)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await listNames()).toHaveLength(1);
});

test('an invited user manages the center and invites a second manager; each act is in the audit trail', async () => {
  const { status, data } = await invite();
  expect(status).toBe(201);
  expect(data.url).toBe(`http://localhost:8000/sport-centers/${center}/manage#${data.code}`);
  const [mia, noa] = [await api.signIn('Mia'), await api.signIn('Noa')];
  const right = { sport_center_id: center, sport_center_name: expect.any(String) };
  expect((await redeem(mia, data.code)).data).toEqual(right);
  expect((await redeem(mia, data.code.toUpperCase().replaceAll('-', ''))).data).toEqual(right);
  expect(await listRights(mia)).toEqual([right]);
  await redeem(noa, (await invite(mia)).data.code);
  expect(await listNames()).toEqual(['Mia', 'Noa']);
  expect(await acts()).toEqual([
    ['manager_invited', operator.user.id, null],
    ['manager_invite_redeemed', mia.user.id, null],
    ['manager_invited', mia.user.id, null],
    ['manager_invite_redeemed', noa.user.id, null],
  ]);
  const rows = await api.database.selectFrom('invites').selectAll().where('kind', '=', 'manager').execute();
  expect(JSON.stringify([rows, await acts()])).not.toContain(data.code.replaceAll('-', ''));
});

test('a manager leaves, but ends the right of no other manager; an operator ends any', async () => {
  const [mia, noa] = [await makeManager(api, 'Mia', center), await makeManager(api, 'Noa', center)];
  const unused = (await invite(mia)).data.code;
  await api.database.deleteFrom('audit_entries').execute();
  expect((await revoke(mia, noa)).code).toBe('not_an_operator');
  expect(await listNames()).toEqual(['Mia', 'Noa']);
  expect((await revoke(mia, mia)).success).toBe(true);
  expect((await invite(mia)).code).toBe('not_a_manager');
  // What the manager made before ends too.
  expect((await redeem(mia, unused)).code).toBe('invite_unknown');
  expect((await revoke(operator, noa)).data.managers).toEqual([]);
  expect((await revoke(operator, noa)).data.managers).toEqual([]);
  expect(await acts()).toEqual([
    ['manager_left', mia.user.id, mia.user.id],
    ['manager_invite_refused', mia.user.id, null],
    ['manager_revoked', operator.user.id, noa.user.id],
  ]);
});

test.each([
  ['suspended', suspendPerson],
  ['to be erased', erasePerson],
])('when the account of a manager is %s, all unused invites of the center end', async (_state, endpoint) => {
  const [mia, code] = [await makeManager(api, 'Mia', center), await makeCode()];
  const params = { public_id: mia.user.public_id };
  expect((await callEndpoint(api, endpoint, { who: operator, params, body: { reason: 'fraud' } })).status).toBe(200);
  const other_account = await api.signIn('Mia again');
  expect((await redeem(other_account, code)).code).toBe('invite_unknown');
  expect(await listRights(other_account)).toEqual([]);
});

test('a repeat of the redemption does not bring back a right that has ended', async () => {
  const [code, mia] = [await makeCode(), await api.signIn('Mia')];
  await redeem(mia, code);
  await revoke(operator, mia);
  expect((await redeem(mia, code)).code).toBe('invite_invalid');
  expect(await listRights(mia)).toEqual([]);
});

test('an invite that is made while the right ends does not outlive it', async () => {
  const mia = await makeManager(api, 'Mia', center);
  const calls = await api.database.transaction().execute(async (trx) => {
    // The invite waits in the middle, and the revocation for it.
    await sql`lock table audit_entries in share mode`.execute(trx);
    const invitation = invite(mia);
    await expect.poll(() => countWaiting(api.database)).toBe(1);
    const revocation = revoke(operator, mia);
    await expect.poll(() => countWaiting(api.database)).toBe(2);
    return { invitation, revocation };
  });
  expect((await calls.revocation).status).toBe(200);
  const other_account = await api.signIn('Mia again');
  expect((await redeem(other_account, (await calls.invitation).data.code)).code).toBe('invite_unknown');
});
