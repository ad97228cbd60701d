import { randomBytes, randomUUID } from 'node:crypto';
import { pairKiosk } from '@sendlap/contract/kiosks.ts';
import { createInvite } from '#api/modules/invites/service.ts';
import { createAccessTokens } from '#api/sessions/access-tokens.ts';
import { createSessions } from '#api/sessions/sessions.ts';
import type { SignedIn, TestApp } from '../app/app.ts';
import { eraseNow } from '../scenes/erase-now.ts';
import { buildPeopleWorld, type PeopleWorld } from '../scenes/people-world.ts';

/** What each kind of caller can show: a live session, one of a locked account, the token of a kiosk, or nothing. */
export const CALLERS = {
  'without a token': 'no session',
  'with a text that is no token': 'no session',
  "with Ada's token, changed": 'no session',
  "with Ada's token, unsigned": 'no session',
  "with Ada's refresh token": 'no session',
  expired: 'no session',
  'signed out': 'no session',
  erased: 'no session',
  suspended: 'locked',
  leaving: 'locked',
  kiosk: 'kiosk',
  'kiosk elsewhere': 'kiosk',
  'revoked kiosk': 'ended kiosk',
  stranger: 'user',
  blocked: 'user',
  blocker: 'user',
  ex_friend: 'user',
  friend: 'user',
  participant: 'user',
  asker: 'user',
  asked: 'user',
  referee: 'user',
  'referee elsewhere': 'user',
  'referee of another sport': 'user',
  'former referee': 'user',
  manager: 'user',
  'manager elsewhere': 'user',
  'former manager': 'user',
  'former operator': 'user',
  operator: 'user',
  owner: 'user',
} as const;
export type CallerName = keyof typeof CALLERS;
export const CALLER_NAMES = Object.keys(CALLERS) as CallerName[];

type Headers = Record<string, string>;
export type Someone = Pick<SignedIn, 'user' | 'session_id' | 'headers'>;

export interface Circle {
  people: PeopleWorld;
  headers: Record<CallerName, Headers>;
  /** Callers with an account. */
  accounts: Map<CallerName, Someone>;
}

interface Centers {
  center: string;
  elsewhere: string;
  /** Its kiosk is the revoked one. */
  third: string;
}

const DAY_MS = 86_400_000;
/** Longer than a run, in which no session has to expire. */
const TOKEN_MS = DAY_MS;

/** Signs a user in with a token that lasts for the whole run. */
export async function signIn(api: TestApp, name: string): Promise<Someone> {
  return withLongToken(api, await api.signIn(name));
}

async function withLongToken(api: TestApp, who: SignedIn, locked = false): Promise<Someone> {
  const claims = { user_id: who.user.id, session_id: who.session_id, generation: 0, locked };
  const tokens = createAccessTokens({ ...api, now: Date.now });
  return { ...who, headers: bearer(await tokens.issue(claims, Date.now() + TOKEN_MS)) };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Sends a request that must succeed. Returns the reply's `data`. */
export async function must(
  api: TestApp,
  who: { headers: Headers },
  method: 'POST' | 'PUT' | 'DELETE' | 'PATCH',
  url: string,
  payload?: object,
) {
  const reply = await api.app.inject({ method, url, headers: who.headers, ...(payload && { payload }) });
  if (reply.statusCode >= 300) throw new Error(`${method} ${url} was answered ${reply.statusCode} ${reply.body}`);
  return reply.json().data;
}

/** Makes one caller of each kind around Ada, the owner. */
export async function makeCallers(api: TestApp, centers: Centers): Promise<Circle> {
  const people = await buildPeopleWorld(api);
  const accounts = new Map<CallerName, Someone>();
  for (const [name, who] of Object.entries(people.people))
    accounts.set(name as CallerName, await withLongToken(api, who));
  for (const [name, standing] of Object.entries(CALLERS))
    if (standing === 'user' && !accounts.has(name as CallerName))
      accounts.set(name as CallerName, await signIn(api, `Caller ${name}`));
  await giveRights(api, accounts, centers);
  const owner = people.people.owner;
  const [head = '', body = '', mac = ''] = owner.token.split('.');
  const kiosk = await pair(api, centers.center);
  const elsewhere = await pair(api, centers.elsewhere);
  const revoked = await pair(api, centers.third);
  const operator = accountOf(accounts, 'operator');
  await must(api, operator, 'DELETE', `/v1/sport-centers/${centers.third}/kiosks`);
  const headers: Partial<Record<CallerName, Headers>> = {
    'without a token': {},
    'with a text that is no token': bearer('a.b.c'),
    "with Ada's token, changed": bearer(`${head}.${body}.${mac.split('').reverse().join('')}`),
    "with Ada's token, unsigned": bearer(`${encode({ alg: 'none', typ: 'at+jwt' })}.${body}.x`),
    "with Ada's refresh token": bearer(owner.refresh_token),
    ...(await makeEnded(api)),
    kiosk: bearer(kiosk),
    'kiosk elsewhere': bearer(elsewhere),
    'revoked kiosk': bearer(revoked),
  };
  await addLocked(api, operator, accounts);
  for (const [name, who] of accounts) headers[name] = who.headers;
  return { people, headers: headers as Circle['headers'], accounts };
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

export function accountOf(accounts: Circle['accounts'], name: CallerName): Someone {
  const who = accounts.get(name);
  if (!who) throw new Error(`${name} has no account`);
  return who;
}

/** Sessions and accounts that are over, each by the call that ends them. */
async function makeEnded(api: TestApp): Promise<Partial<Record<CallerName, Headers>>> {
  const tokens = createAccessTokens({ ...api, now: Date.now });
  const late = await api.signIn('Expired');
  const claims = { user_id: late.user.id, session_id: late.session_id, generation: 0, locked: false };
  const out = await signIn(api, 'Out');
  await must(api, out, 'DELETE', '/v1/users/sessions');
  const erased = await signIn(api, 'Erased');
  await eraseNow(api.database, erased.user.public_id);
  return {
    expired: bearer(await tokens.issue(claims, Date.now() - 1000)),
    'signed out': out.headers,
    erased: erased.headers,
  };
}

/** Locked accounts, each by the call that locks it. */
async function addLocked(api: TestApp, operator: Someone, accounts: Circle['accounts']): Promise<void> {
  const suspended = await signIn(api, 'Suspended');
  const url = `/v1/manage/people/${suspended.user.public_id}/suspension`;
  await must(api, operator, 'PUT', url, { reason: 'Spam' });
  const leaving = await signIn(api, 'Leaving');
  await must(api, leaving, 'DELETE', '/v1/users/me');
  accounts.set('suspended', await signInAs(api, suspended, true));
  accounts.set('leaving', await signInAs(api, leaving, true));
}

/** A new session of a user. One whose account is `locked` may sign in too, to see why. */
export async function signInAs(api: TestApp, { user }: Pick<Someone, 'user'>, locked = false): Promise<Someone> {
  const { session_id, access_token, refresh_token } = await createSessions(api).create(user.id, 'Phone');
  const signed_in = { user, session_id, token: access_token, refresh_token, headers: bearer(access_token) };
  return withLongToken(api, signed_in, locked);
}

async function giveRights(api: TestApp, accounts: Circle['accounts'], { center, elsewhere }: Centers): Promise<void> {
  const { database } = api;
  const idOf = (name: CallerName) => accountOf(accounts, name).user.id;
  for (const name of ['operator', 'former operator'] as const)
    await database
      .insertInto('operators')
      .values({ user_id: idOf(name) })
      .execute();
  const managers = { manager: center, 'manager elsewhere': elsewhere, 'former manager': center } as const;
  for (const [name, sport_center_id] of Object.entries(managers))
    await database
      .insertInto('managers')
      .values({ user_id: idOf(name as CallerName), sport_center_id })
      .execute();
  const operator = accountOf(accounts, 'operator');
  const former = accountOf(accounts, 'former operator');
  await must(api, operator, 'DELETE', `/v1/manage/people/${former.user.public_id}/operator`);
  const left = accountOf(accounts, 'former manager');
  await must(api, left, 'DELETE', `/v1/sport-centers/${center}/managers/${left.user.public_id}`);
  await grant(api, idOf('referee'), center);
  await grant(api, idOf('referee elsewhere'), elsewhere);
  await grant(api, idOf('referee of another sport'), center, { sport: 'swimming' });
  await grant(api, idOf('former referee'), center, { until: new Date(Date.now() - 7 * DAY_MS) });
}

export async function grant(
  { database }: TestApp,
  user_id: string,
  sport_center_id: string,
  { sport = 'climbing', until = null }: { sport?: 'climbing' | 'swimming'; until?: Date | null } = {},
): Promise<void> {
  const right = { id: randomUUID(), user_id, sport_center_id, sport_types: [sport], granted_by: 'test' };
  await database
    .insertInto('referees')
    .values({ ...right, valid_from: new Date(Date.now() - 30 * DAY_MS), valid_until: until })
    .execute();
}

/** Pairs a tablet with a center, from an address of its own: each may pair a few in an hour. Returns its token. */
export async function pair(api: TestApp, sport_center_id: string): Promise<string> {
  const invitation = { kind: 'kiosk', sport_center_id, sport_types: [], right_until: null } as const;
  const { code } = await createInvite(api.database, invitation, new Date());
  const remoteAddress = `10.${randomBytes(3).join('.')}`;
  const reply = await api.app.inject({ method: 'POST', url: pairKiosk.path, payload: { code }, remoteAddress });
  return pairKiosk.data.parse(reply.json().data).token;
}
