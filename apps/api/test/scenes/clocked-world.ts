import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { KioskKey } from '@sendlap/contract/kiosks.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { createInvite } from '#api/modules/invites/service.ts';
import { createRefereeService } from '#api/modules/referees/service.ts';
import { createAccessTokens } from '#api/sessions/access-tokens.ts';
import { buildTestApp, type TestApp, type TestAppOptions } from '../app/app.ts';
import { makeCenter } from '../factories.ts';

const DAY_MS = 86_400_000;
/** A Wednesday morning in Bilbao, far from any daylight-saving change. */
export const FIRST_MOMENT = Date.parse('2026-03-18T09:00:00.000Z');

const clock = new AsyncLocalStorage<{ at: number }>();

/** Runs `run` with the app's clock at `at` (ms epoch); concurrent calls may use other times. */
export function atMoment<Value>(at: number, run: () => Promise<Value>): Promise<Value> {
  // Awaited in here, so that a lazy promise (a query) also starts inside.
  return clock.run({ at }, async () => await run());
}

/** A user with a phone. */
export interface Person {
  id: string;
  public_id: string;
  name: string;
  headers: { authorization: string };
  session_id: string;
  key_id: string;
  /** base64url */
  key: string;
}

export interface PairedKiosk {
  center: string;
  keys: KioskKey[];
}

export interface Reply {
  status: number;
  code?: string;
  data: Record<string, unknown>;
}

/** The real app on the real PostgreSQL, with a clock that each caller sets. */
export interface ClockedWorld {
  api: TestApp;
  /** Offers both sports. */
  center: string;
  /** Offers climbing only. */
  wall: string;
  makePerson(name: string): Promise<Person>;
  /** Makes a user a referee of the center; by default from a month before the first moment on. */
  grant(who: Person, center: string, sports?: Sport[], valid_from?: number): Promise<void>;
  befriend(one: Person, other: Person, since?: number): Promise<void>;
  pairKiosk(center: string, at?: number): Promise<PairedKiosk>;
  call(
    method: 'GET' | 'POST' | 'DELETE' | 'PATCH',
    url: string,
    who: Person,
    at: number,
    body?: object,
  ): Promise<Reply>;
  close(): Promise<void>;
}

/** `database_url`: a migrated database that the caller drops; by default one of the test run. */
export async function openClockedWorld(
  options: Pick<TestAppOptions, 'database_url' | 'logger'> = {},
): Promise<ClockedWorld> {
  const centers: string[] = [];
  let kiosks = 0;
  const api = await buildTestApp({
    ...options,
    now: () => new Date(clock.getStore()?.at ?? FIRST_MOMENT),
    async seed(database) {
      centers.push(await makeCenter(database), await makeCenter(database, ['climbing']));
    },
  });
  const { database, secrets } = api;
  const tokens = createAccessTokens({ database, secrets, now: () => FIRST_MOMENT });
  const [center = '', wall = ''] = centers;
  const call: ClockedWorld['call'] = (method, url, { headers }, at, body) =>
    atMoment(at, async () => {
      const reply = await api.app.inject({ method, url, headers, ...(body ? { payload: body } : {}) });
      return { status: reply.statusCode, ...reply.json() };
    });
  return {
    api,
    center,
    wall,
    call,
    async makePerson(name) {
      const { user, session_id } = await atMoment(FIRST_MOMENT, () => api.signIn(name));
      const claims = { user_id: user.id, session_id, generation: 0, locked: false };
      // Session expiry is not under test here: one token lasts for the whole run.
      const token = await tokens.issue(claims, FIRST_MOMENT + 60 * DAY_MS);
      const headers = { authorization: `Bearer ${token}` };
      const { id, public_id } = user;
      const person = { id, public_id, name, headers, session_id, key_id: '', key: '' };
      return { ...person, ...(await addPhone(call, person)) };
    },
    async grant({ id: user_id }, sport_center_id, sport_types = ['climbing', 'swimming'], valid_from) {
      const from = new Date(valid_from ?? FIRST_MOMENT - 30 * DAY_MS);
      const right = { user_id, sport_center_id, sport_types, granted_by: 'test', valid_from: from, valid_until: null };
      await createRefereeService(database).grant(right);
    },
    async befriend(one, other, since = FIRST_MOMENT - 30 * DAY_MS) {
      const [user_low = '', user_high = ''] = [one.id, other.id].sort();
      const friendship = { id: randomUUID(), user_low, user_high, created_at: new Date(since) };
      await database.insertInto('friendships').values(friendship).execute();
    },
    async pairKiosk(sport_center_id, at = FIRST_MOMENT - DAY_MS) {
      const invitation = { kind: 'kiosk', sport_center_id, sport_types: [], right_until: null } as const;
      const { code } = await createInvite(database, invitation, new Date(at));
      // From an address of its own: attempts are limited by address.
      kiosks += 1;
      const remoteAddress = `10.0.${kiosks >> 8}.${kiosks & 255}`;
      const request = { method: 'POST', url: '/v1/kiosks/pair', payload: { code }, remoteAddress } as const;
      const reply = await atMoment(at, async () => await api.app.inject(request));
      if (reply.statusCode !== 201) throw new Error(`pairing answered ${reply.body}`);
      return { center: sport_center_id, keys: reply.json().data.keys };
    },
    close: () => api.close(),
  };
}

/** Adds another phone to a user. */
export async function addPhone(
  call: ClockedWorld['call'],
  who: Person,
  at = FIRST_MOMENT,
): Promise<{ key_id: string; key: string }> {
  const phone = { installation_id: randomUUID(), name: 'Phone' };
  const { status, code, data } = await call('POST', '/v1/devices', who, at, phone);
  if (status >= 300) throw new Error(`a phone was refused: ${code}`);
  return { key_id: String(data.key_id), key: String(data.key) };
}
