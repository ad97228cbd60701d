import { randomUUID } from 'node:crypto';
import { deleteBioInfo, saveBioInfo } from '@sendlap/contract/bio-info.ts';
import { requestClaim } from '@sendlap/contract/center-management/claims.ts';
import { changePublicId } from '@sendlap/contract/friends.ts';
import { redeemOperatorInvite } from '@sendlap/contract/operators.ts';
import { redeemRefereeInvite } from '@sendlap/contract/referees.ts';
import { updateSettings } from '@sendlap/contract/users.ts';
import type { ActivityCode } from '@sendlap/domain/qr-code.ts';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { OWN_ISSUER_KEY } from '#api/accounts/identity.ts';
import type { Database } from '#api/database/database.ts';
import { grantOperator, inviteOperator, revokeOperator } from '#api/modules/operators/service.ts';
import { createUserService } from '#api/modules/users/service.ts';
import { createSessions } from '#api/sessions/sessions.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../app/app.ts';
import { addCheapAccount } from '../app/cheap-account.ts';
import { makeCenter, signCode, stepOf } from '../factories.ts';
import { fillCircle } from './filled-circle.ts';
import { inviteReferee } from './invites.ts';
import { type Climb, makeClimb, scanOf } from './scan-scene.ts';

const PASSWORD = 'correct horse battery staple';

/** An athlete with an account at the own provider, a phone and the right to referee at the center. */
export interface Member extends SignedIn {
  account_id: string;
  email: string;
  device: { key_id: string; key: string; installation_id: string };
}

/** A user with data in every table, and two others who interacted with them. */
export interface FilledPerson {
  ada: Member;
  /** Refereed an activity of Ada's, rejected another, and scanned a third that has not arrived, and one of Bea's. */
  rex: Member;
  /** Ada refereed one of her activities, scanned two that have not arrived, and withdrew one of these scans. */
  bea: Member;
  bea_points: number;
  /** Everything that identifies Ada: ids, names, addresses. */
  canaries: Record<string, string>;
}

/** Starts an app with one sport center. */
export async function openPlace(now = () => new Date()): Promise<{ api: TestApp; center: string }> {
  let center = '';
  const seed = async (database: Database) => {
    center = await makeCenter(database);
  };
  const api = await buildTestApp({ now, seed });
  return { api, center };
}

async function signUp(api: TestApp, name: string, email: string): Promise<Member> {
  const account = await addCheapAccount(api.database, {
    email,
    display_name: name,
    password: PASSWORD,
  });
  const claims = { issuer: OWN_ISSUER_KEY, subject: account.id, email, name, display_name: name };
  const user = await createUserService(api.database).findOrCreate(claims);
  const signed_in = await signInAgain(api, user.id, 'Firefox on Linux');
  const installation_id = randomUUID();
  const { data } = await send(api, signed_in, 'POST', '/v1/devices', { installation_id, name: `Phone of ${name}` });
  return { ...signed_in, user, account_id: account.id, email, device: { ...data, installation_id } };
}

/** Creates a session for an existing user; it is locked if the account is. */
export async function signInAgain(api: TestApp, user_id: string, device_name: string, now = Date.now) {
  const sessions = createSessions({ database: api.database, secrets: api.secrets, now });
  const { access_token: token, session_id, refresh_token } = await sessions.create(user_id, device_name);
  return { token, session_id, refresh_token, headers: { authorization: `Bearer ${token}` } };
}

export async function send(
  api: TestApp,
  who: Pick<SignedIn, 'headers'>,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
  headers: Record<string, string> = {},
) {
  const reply = await api.app.inject({
    method,
    url,
    headers: { ...who.headers, ...headers },
    ...(payload ? { payload } : {}),
  });
  return { status: reply.statusCode, ...reply.json() };
}

/** Sends both of the athlete's ops of an activity. Returns their ids. */
async function record(api: TestApp, who: Member, sport_center_id: string, climb: Climb): Promise<string[]> {
  const { client_id, started_at, ended_at } = climb;
  const start = { kind: 'start', client_id, op_id: randomUUID(), sport_center_id, sport_type: 'climbing' };
  const finish = { kind: 'finish', client_id, op_id: randomUUID(), ended_at: new Date(ended_at).toISOString() };
  const ops = [{ ...start, started_at: new Date(started_at).toISOString() }, finish];
  const { data } = await send(api, who, 'POST', '/v1/activities/sync', { ops });
  expect(data.results.map((result: { outcome: string }) => result.outcome)).toEqual(['accepted', 'accepted']);
  return [start.op_id, finish.op_id];
}

function codeOf(who: Member, sport_center_id: string, climb: Climb): string {
  const code: ActivityCode = {
    activity_id: climb.client_id,
    public_id: who.user.public_id,
    display_name: who.user.name,
    sport_center_id,
    sport_type: 'climbing',
    started_at: climb.started_at,
    ended_at: climb.ended_at,
    paused_s: 0,
    intensity: null,
    distance_m: null,
    step: stepOf(new Date()),
    key_id: who.device.key_id,
  };
  return signCode(code, who.device.key).payload;
}

/** Returns the op id of the scan. */
async function scan(
  api: TestApp,
  scanner: Member,
  payload: string,
  { outcome, ...overrides }: { outcome: string; decision?: string; reason?: string },
): Promise<string> {
  const body = scanOf(payload, overrides);
  const reply = await send(api, scanner, 'POST', '/v1/activities/validate', body);
  expect(reply.data?.outcome ?? reply.code).toBe(outcome);
  return body.op_id;
}

/** Returns the op id of the withdrawal. */
async function withdraw(api: TestApp, scanner: Member, { client_id }: Climb, scan_op_id: string): Promise<string> {
  const op_id = randomUUID();
  const reply = await send(api, scanner, 'POST', `/v1/activities/${client_id}/withdraw`, { op_id, scan_op_id });
  expect(reply.status).toBe(200);
  return op_id;
}

/** Ada and Rex scan an activity that has not arrived, and Ada withdraws her scan. Returns the ids of Ada's ops. */
async function scanBeaTwice(
  api: TestApp,
  center: string,
  { ada, rex, bea }: Record<'ada' | 'rex' | 'bea', Member>,
  climb: Climb,
): Promise<string[]> {
  const scan_op_id = await scan(api, ada, codeOf(bea, center, climb), { outcome: 'waiting' });
  await scan(api, rex, codeOf(bea, center, climb), { outcome: 'waiting' });
  return [scan_op_id, await withdraw(api, ada, climb, scan_op_id)];
}

async function workAt(api: TestApp, who: Member, sport_center_id: string): Promise<void> {
  const code = await inviteReferee(api.database, sport_center_id, '--sports', 'climbing');
  expect((await send(api, who, 'POST', redeemRefereeInvite.path, { code })).status).toBe(200);
  await api.database.insertInto('managers').values({ user_id: who.user.id, sport_center_id }).execute();
  const other_center = await makeCenter(api.database);
  const claim = { message: 'I am the head coach' };
  const url = requestClaim.path.replace(':id', other_center);
  expect((await send(api, who, 'POST', url, claim)).status).toBe(201);
}

/** With a load that has ended: an open one would be carried out. */
async function runServer(api: TestApp, who: Member): Promise<void> {
  const { url } = await inviteOperator(api.database, api.url, new Date());
  const code = url.split('#')[1];
  expect((await send(api, who, 'POST', redeemOperatorInvite.path, { code })).status).toBe(200);
  for (const change of [revokeOperator, grantOperator]) expect(await change(api.database, who.user.id)).toBe(true);
  const box = { west: 1, south: 1, east: 2, north: 2 };
  const load = { id: randomUUID(), name: 'Bilbao', status: 'done' as const, requested_by: who.user.id };
  await api.database
    .insertInto('area_loads')
    .values({ ...load, ...box })
    .execute();
  const streets = { ...load, id: randomUUID(), town_id: 'geonames:3128026' };
  await api.database.insertInto('street_loads').values(streets).execute();
}

function before(climb: Climb, minutes: number): Climb {
  const shift = minutes * 60_000;
  return { client_id: randomUUID(), started_at: climb.started_at - shift, ended_at: climb.ended_at - shift };
}

export async function fillPerson(api: TestApp, center: string): Promise<FilledPerson> {
  const tag = randomUUID().slice(0, 8);
  const ada = await signUp(api, `Adelaide ${tag}`, `adelaide.${tag}@example.org`);
  const rex = await signUp(api, `Rex ${tag}`, `rex.${tag}@example.org`);
  const bea = await signUp(api, `Bea ${tag}`, `bea.${tag}@example.org`);
  for (const who of [ada, rex]) await workAt(api, who, center);
  for (const who of [ada, rex]) await runServer(api, who);

  const validated = makeClimb(30);
  const rejected = before(validated, 40);
  const missing = before(validated, 80);
  const climb_of_bea = makeClimb(60);
  const missing_of_bea = before(climb_of_bea, 70);
  const ops = [
    ...(await record(api, ada, center, validated)),
    ...(await record(api, ada, center, rejected)),
    await record(api, bea, center, climb_of_bea).then(() =>
      scan(api, ada, codeOf(bea, center, climb_of_bea), { outcome: 'accepted', reason: `Seen by ${ada.user.name}` }),
    ),
    await scan(api, ada, codeOf(bea, center, missing_of_bea), { outcome: 'waiting' }),
    ...(await scanBeaTwice(api, center, { ada, rex, bea }, before(climb_of_bea, 140))),
  ];
  await refereeAda(api, center, { ada, rex }, { validated, rejected, missing });

  const former_public_id = ada.user.public_id;
  const public_id = `ada-${tag}`;
  const display_name = `Ada of ${tag}`;
  const bio_key = randomUUID();
  const body = { age: 30, weight_kg: 60.5, height_cm: 170, male: false };
  const deleted_bio_key = randomUUID();
  await send(api, ada, 'POST', saveBioInfo.path, body, { 'idempotency-key': deleted_bio_key });
  await send(api, ada, 'DELETE', deleteBioInfo.path);
  const bio = await send(api, ada, 'POST', saveBioInfo.path, body, { 'idempotency-key': bio_key });
  await rename(api, ada, { public_id, display_name });
  const message = `Meet me at the wall, ${tag}`;
  await fillCircle(api, { one: ada, friend: bea, other_friend: rex, public_id }, message);
  const ended = await signInAgain(api, ada.user.id, 'Old tablet');
  await createSessions({ database: api.database, secrets: api.secrets }).end(ended.session_id, 'logout');
  for (const who of [ada, rex]) await fillProvider(api.database, who);
  const bea_points = await pointsOf(api.database, bea);
  expect(bea_points).toBeGreaterThan(0);

  const lists = {
    activity: [validated.client_id, rejected.client_id, missing.client_id],
    op: ops,
    session: [ada.session_id, ended.session_id],
  };
  const numbered = Object.entries(lists).flatMap(([name, ids]) => ids.map((id, index) => [`${name} ${index}`, id]));
  const canaries: Record<string, string> = {
    ...Object.fromEntries(numbered),
    'user id': ada.user.id,
    'e-mail': ada.email,
    name: ada.user.name,
    'display name': display_name,
    'public id': public_id,
    'former public id': former_public_id,
    'identity subject and provider account': ada.account_id,
    device: ada.device.key_id,
    installation: ada.device.installation_id,
    'bio info': bio.data.id,
    'key of the bio info': bio_key,
    'key of the deleted bio info': deleted_bio_key,
    'text of a message': message,
  };
  return { ada, rex, bea, bea_points, canaries };
}

/**
 * Rex confirms one activity, rejects one and withdraws that, scans one that has not arrived, and sends a forged code.
 */
async function refereeAda(
  api: TestApp,
  center: string,
  { ada, rex }: { ada: Member; rex: Member },
  { validated, rejected, missing }: Record<'validated' | 'rejected' | 'missing', Climb>,
): Promise<void> {
  const told = { reason: `That was ${ada.user.name}` };
  await scan(api, rex, codeOf(ada, center, validated), { outcome: 'accepted', ...told });
  const rejection = { outcome: 'accepted', decision: 'reject', ...told };
  const scan_op_id = await scan(api, rex, codeOf(ada, center, rejected), rejection);
  await withdraw(api, rex, rejected, scan_op_id);
  await scan(api, rex, codeOf(ada, center, missing), { outcome: 'waiting', ...told });
  const forged = codeOf({ ...ada, device: { ...ada.device, key: rex.device.key } }, center, validated);
  await scan(api, rex, forged, { outcome: 'code_forged' });
}

async function rename(api: TestApp, who: Member, names: { public_id: string; display_name: string }): Promise<void> {
  const { public_id, display_name } = names;
  expect((await send(api, who, 'PUT', changePublicId.path, { public_id })).status).toBe(200);
  expect((await send(api, who, 'PATCH', updateSettings.path, { display_name })).status).toBe(200);
}

/** Adds the rows that the own provider's pages leave behind. */
async function fillProvider(database: Database, { account_id }: Member): Promise<void> {
  const id = randomUUID();
  const expires_at = new Date(Date.now() + 86_400_000);
  const records = [
    { model: 'Session', payload: { accountId: account_id, uid: id, kind: 'Session' } },
    { model: 'Interaction', payload: { result: { login: { accountId: account_id } }, kind: 'Interaction' } },
  ];
  for (const { model, payload } of records) {
    const row = { model, id, payload: JSON.stringify(payload), grant_id: null, user_code: null, uid: id, expires_at };
    await database.insertInto('provider_records').values(row).execute();
  }
  await database
    .insertInto('provider_password_resets')
    .values({ token_hash: Buffer.from(randomUUID()), account_id, expires_at })
    .execute();
}

export async function pointsOf(database: Database, { user }: Pick<Member, 'user'>): Promise<number> {
  const { rows } = await sql<{ points: number }>`
    select coalesce(sum(points), 0)::int as points from score_ledger where user_id = ${user.id}`.execute(database);
  return rows[0]?.points ?? 0;
}
