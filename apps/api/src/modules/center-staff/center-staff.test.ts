import { randomUUID } from 'node:crypto';
import {
  type CenterInvite,
  type CenterStaff,
  getCenterStaff,
  inviteKiosk,
  inviteReferee,
  revokeKiosks,
  revokeReferee,
} from '@sendlap/contract/center-management/center-staff.ts';
import { pairKiosk } from '@sendlap/contract/kiosks.ts';
import { redeemRefereeInvite } from '@sendlap/contract/referees.ts';
import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import { decodeCode, parseQrUrl } from '@sendlap/domain/qr-code.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';
import { makeManager, makeOperator } from '#test/scenes/right-holders.ts';

let api: TestApp;
let operator: SignedIn;
let center: string;
beforeAll(async () => {
  api = await buildTestApp();
  operator = await makeOperator(api, 'Olga');
});
afterAll(() => api.close());
beforeEach(async () => {
  center = await makeCenter(api.database);
  await api.database.deleteFrom('audit_entries').execute();
});

async function call(
  endpoint: Endpoint,
  options: { who?: SignedIn | null; id?: string; name?: string; body?: object } = {},
) {
  const { who = operator, id = center, name = '', body } = options;
  const url = endpoint.path.replace(':id', id).replace(':public_id', name);
  const payload = body ?? (endpoint.body ? {} : undefined);
  const headers = who?.headers ?? {};
  const reply = await api.app.inject({ method: endpoint.method, url, headers, ...(payload && { payload }) });
  return { status: reply.statusCode, ...reply.json() };
}

const acts = async () =>
  await api.database
    .selectFrom('audit_entries')
    .select(['act', 'actor_id', 'subject_id', 'details'])
    .orderBy('id')
    .execute();
const countInvites = async () =>
  (await api.database.selectFrom('invites').select('kind').where('sport_center_id', '=', center).execute()).length;

async function makeReferee(name: string): Promise<SignedIn> {
  const who = await api.signIn(name);
  const { data } = await call(inviteReferee);
  const code = (data as CenterInvite).code.replaceAll('-', '');
  expect((await call(redeemRefereeInvite, { who, body: { code } })).status).toBe(200);
  return who;
}

async function pairNewKiosk(): Promise<string> {
  const { data } = await call(inviteKiosk);
  const paired = await call(pairKiosk, { who: null, body: { code: (data as CenterInvite).code } });
  expect(paired.status).toBe(201);
  return paired.data.token;
}

describe('every call is refused to all but managers of the center and operators, and changes nothing:', () => {
  test.each(
    [getCenterStaff, inviteReferee, revokeReferee, inviteKiosk, revokeKiosks].map((each) => [each.summary, each]),
  )('%s', async (_name, endpoint) => {
    const referee = await makeReferee('Rex');
    await api.database.deleteFrom('audit_entries').execute();
    const before = await countInvites();
    const name = referee.user.public_id;
    const athlete = await api.signIn('Ada');
    const elsewhere = await makeManager(api, 'Eva', await makeCenter(api.database));
    const callers = [null, athlete, referee, elsewhere];
    const codes = callers.map(async (who) => (await call(endpoint as Endpoint, { who, name })).code);
    expect(await Promise.all(codes)).toEqual(['unauthenticated', ...Array(3).fill('not_a_manager')]);
    expect([await countInvites(), await acts()]).toEqual([before, []]);
    expect((await call(getCenterStaff)).data.referees).toHaveLength(1);
    const manager = await makeManager(api, 'Mia', center);
    expect((await call(endpoint as Endpoint, { who: manager, name })).success).toBe(true);
    // Not by capitals in the address either.
    expect((await call(endpoint as Endpoint, { who: elsewhere, name, id: center.toUpperCase() })).code).toBe(
      'not_a_manager',
    );
  });
});

describe('refused:', () => {
  test.each([getCenterStaff, inviteReferee, revokeReferee, inviteKiosk, revokeKiosks].map((each) => [each.path, each]))(
    '%s of a center that does not exist',
    async (_name, endpoint) => {
      const reply = await call(endpoint as Endpoint, { id: randomUUID(), name: operator.user.public_id });
      expect([reply.status, reply.code]).toEqual([404, 'sport_center_not_found']);
    },
  );

  test('invites to a closed center, and to a sport that it does not offer', async () => {
    await api.database
      .deleteFrom('sport_facilities')
      .where('sport_center_id', '=', center)
      .where('type', '=', 'swimming')
      .execute();
    expect((await call(inviteReferee, { body: { sport_types: ['swimming'] } })).code).toBe('sport_not_offered');
    expect((await call(inviteReferee, { body: { sport_types: [] } })).code).toBe('validation_failed');
    await api.database.updateTable('sport_centers').set({ closed_at: new Date() }).where('id', '=', center).execute();
    expect([(await call(inviteReferee)).code, (await call(inviteKiosk)).code]).toEqual([
      'sport_center_closed',
      'sport_center_closed',
    ]);
    expect([await countInvites(), await acts()]).toEqual([0, []]);
  });

  test('to end the right of a user who does not exist', async () => {
    expect((await call(revokeReferee, { name: 'none' })).code).toBe('user_not_found');
  });
});

test('an invited user is a referee until the right is ended, and each act is in the audit trail', async () => {
  const { status, data } = await call(inviteReferee);
  expect(status).toBe(201);
  expect(data.code).toMatch(/^([a-z\d]{4}-){2}[a-z\d]{4}$/);
  const bytes = parseQrUrl(data.url);
  expect(bytes && decodeCode(bytes)).toMatchObject({ kind: 'invite', secret: data.code.replaceAll('-', '') });
  expect((await call(getCenterStaff)).data).toEqual({ managers: [], referees: [], kiosks: [] });
  const rex = await makeReferee('Rex');
  const { referees } = (await call(getCenterStaff)).data as CenterStaff;
  expect(referees).toEqual([
    { public_id: rex.user.public_id, name: 'Rex', sport_types: expect.any(Array), valid_until: null },
  ]);
  const revoked = await call(revokeReferee, { name: rex.user.public_id });
  expect(revoked.data.referees).toEqual([]);
  // A second time there is nothing to end.
  await call(revokeReferee, { name: rex.user.public_id });
  expect((await acts()).map(({ act, actor_id, subject_id }) => [act, actor_id, subject_id])).toEqual([
    ['referee_invited', operator.user.id, null],
    ['referee_invited', operator.user.id, null],
    ['referee_revoked', operator.user.id, rex.user.id],
  ]);
  expect(JSON.stringify(await acts())).not.toContain(data.code.replaceAll('-', ''));
});

test('a paired tablet is listed until the kiosks of its center are ended; those of another center stay', async () => {
  const here = center;
  await pairNewKiosk();
  center = await makeCenter(api.database);
  await pairNewKiosk();
  const other = center;
  center = here;
  const { kiosks } = (await call(getCenterStaff)).data as CenterStaff;
  expect(kiosks).toEqual([{ id: expect.any(String), paired_at: expect.any(String), last_used_at: expect.any(String) }]);
  const { data: unused } = await call(inviteKiosk);
  expect((await call(revokeKiosks)).data.kiosks).toEqual([]);
  expect((await call(pairKiosk, { who: null, body: { code: unused.code } })).code).toBe('invite_unknown');
  expect((await call(getCenterStaff, { id: other })).data.kiosks).toHaveLength(1);
  expect((await acts()).map(({ act }) => act)).toEqual([
    'kiosk_invited',
    'kiosk_invited',
    'kiosk_invited',
    'kiosks_revoked',
  ]);
});
