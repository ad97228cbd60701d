import { randomUUID } from 'node:crypto';
import type { ActivityCode } from '@sendlap/domain/qr-code.ts';
import { expect } from 'vitest';
import { createRefereeService } from '#api/modules/referees/service.ts';
import { buildTestApp, type SignedIn, type TestApp, type TestAppOptions } from '../app/app.ts';
import { makeCenter, type SignedCode, signCode, stepOf } from '../factories.ts';

export const MINUTE_MS = 60_000;
const CLOCK = { offset_ms: 0, age_ms: 1000 };

/** An activity of an athlete; times in whole seconds, as a device sends them and a code carries them. */
export interface Climb {
  client_id: string;
  started_at: number;
  ended_at: number;
}

/** Makes a climb of `minutes` that ended so many minutes ago. */
export function makeClimb(minutes = 90, ended_minutes_ago = 1): Climb {
  const ended_at = wholeSeconds(Date.now() - ended_minutes_ago * MINUTE_MS);
  return { client_id: randomUUID(), started_at: ended_at - minutes * MINUTE_MS, ended_at };
}

export function wholeSeconds(epoch_ms: number): number {
  return Math.floor(epoch_ms / 1000) * 1000;
}

/** Returns the body of a scan made now by a scanner whose clock is right. */
export function scanOf(payload: string, overrides: object = {}) {
  const now = new Date().toISOString();
  return { op_id: randomUUID(), decision: 'confirm', scanned_at: now, clock: CLOCK, payload, ...overrides };
}

/** Everything a scan needs: two centers, an athlete with a device, and a referee of the first center. */
export class ScanScene {
  readonly api: TestApp;
  readonly center: string;
  readonly other_center: string;
  athlete: SignedIn;
  referee: SignedIn;
  device = { key_id: '', key: '' };

  private constructor(api: TestApp, centers: [string, string], people: [SignedIn, SignedIn]) {
    this.api = api;
    [this.center, this.other_center] = centers;
    [this.athlete, this.referee] = people;
  }

  static async open(options: Pick<TestAppOptions, 'env' | 'now' | 'timer'> = {}): Promise<ScanScene> {
    const centers: [string, string] = ['', ''];
    const seed = async (database: TestApp['database']) => {
      centers[0] = await makeCenter(database);
      centers[1] = await makeCenter(database);
    };
    const api = await buildTestApp({ ...options, seed });
    return new ScanScene(api, centers, [await api.signIn('Ada'), await api.signIn('Rex')]);
  }

  /** Replaces the people, so that nothing of the previous test counts. */
  async renew(): Promise<void> {
    this.athlete = await this.api.signIn('Ada');
    this.referee = await this.api.signIn('Rex');
    const phone = { installation_id: randomUUID(), name: 'Phone' };
    this.device = (await this.post(this.athlete, '/v1/devices', phone)).data;
    await this.grant(this.referee);
  }

  async grant(who: SignedIn, sport_center_id = this.center): Promise<void> {
    await createRefereeService(this.api.database).grant({
      user_id: who.user.id,
      sport_center_id,
      sport_types: ['climbing', 'swimming'],
      granted_by: 'test',
      valid_from: new Date(Date.now() - 30 * 86_400_000),
      valid_until: null,
    });
  }

  async revoke(who: SignedIn): Promise<void> {
    await createRefereeService(this.api.database).revoke(
      { user_id: who.user.id, sport_center_id: this.center, at: new Date() },
      null,
    );
  }

  async post(who: SignedIn, url: string, payload: object) {
    const reply = await this.api.app.inject({ method: 'POST', url, headers: who.headers, payload });
    return { status: reply.statusCode, ...reply.json() };
  }

  /** Sends the athlete's own two ops. */
  async record({ client_id, started_at, ended_at }: Climb, who = this.athlete): Promise<void> {
    const start = {
      kind: 'start',
      client_id,
      op_id: randomUUID(),
      sport_center_id: this.center,
      sport_type: 'climbing',
    };
    const finish = { kind: 'finish', client_id, op_id: randomUUID(), ended_at: new Date(ended_at).toISOString() };
    const ops = [{ ...start, started_at: new Date(started_at).toISOString() }, finish];
    const { data } = await this.post(who, '/v1/activities/sync', { ops });
    expect(data.results.map((result: { outcome: string }) => result.outcome)).toEqual(['accepted', 'accepted']);
  }

  /** The code that the athlete's device signs. */
  codeOf(climb: Climb, overrides: Partial<ActivityCode> = {}, key = this.device.key): SignedCode {
    const code: ActivityCode = {
      activity_id: climb.client_id,
      public_id: this.athlete.user.public_id,
      display_name: this.athlete.user.name,
      sport_center_id: this.center,
      sport_type: 'climbing',
      started_at: climb.started_at,
      ended_at: climb.ended_at,
      paused_s: 0,
      intensity: null,
      distance_m: null,
      step: stepOf(new Date()),
      key_id: this.device.key_id,
      ...overrides,
    };
    return signCode(code, key);
  }

  validate(who: SignedIn, payload: string, overrides: object = {}) {
    return this.post(who, '/v1/activities/validate', scanOf(payload, overrides));
  }

  /** Sends a scan made at this moment (ms epoch) of the code that the athlete's phone showed then. */
  scanAt(who: SignedIn, climb: Climb, at_ms: number, overrides: object = {}, code: Partial<ActivityCode> = {}) {
    const scanned = { scanned_at: new Date(at_ms).toISOString(), recorded_offline: true };
    const { payload } = this.codeOf(climb, { step: stepOf(new Date(at_ms)), ...code });
    return this.validate(who, payload, { ...scanned, ...overrides });
  }

  /** Sends one op of the athlete as its own call, with a new `op_id`. */
  async send(who: SignedIn, method: 'POST' | 'PATCH' | 'DELETE', url: string, payload: object = {}) {
    const body = { op_id: randomUUID(), ...payload };
    const reply = await this.api.app.inject({ method, url, headers: who.headers, payload: body });
    return { status: reply.statusCode, replayed: reply.headers['idempotent-replay'], ...reply.json() };
  }

  edit(climb: Climb, fields: object, edited_at = Date.now()) {
    const said = { edited_at: new Date(edited_at).toISOString(), ...fields };
    return this.send(this.athlete, 'PATCH', `/v1/activities/${climb.client_id}`, said);
  }

  remove(climb: Climb) {
    return this.send(this.athlete, 'DELETE', `/v1/activities/${climb.client_id}`);
  }

  appeal(climb: Climb, appealed_at = Date.now()) {
    const said = { appealed_at: new Date(appealed_at).toISOString(), reason: 'I was there' };
    return this.send(this.athlete, 'POST', `/v1/activities/${climb.client_id}/appeal`, said);
  }

  withdraw(who: SignedIn, climb: Climb, scan_op_id: string) {
    return this.send(who, 'POST', `/v1/activities/${climb.client_id}/withdraw`, { scan_op_id });
  }

  async readGiven(who: SignedIn, query = '') {
    const reply = await this.api.app.inject({ url: `/v1/activities/decisions${query}`, headers: who.headers });
    return reply.json().data;
  }

  /** Another referee of the center. */
  async addReferee(name: string): Promise<SignedIn> {
    const who = await this.api.signIn(name);
    await this.grant(who);
    return who;
  }

  /** Returns the stored events of a user's stream, oldest first. */
  async readEvents(who: SignedIn): Promise<Record<string, unknown>[]> {
    const rows = await this.api.database
      .selectFrom('user_events')
      .select('data')
      .where('user_id', '=', who.user.id)
      .orderBy('seq')
      .execute();
    return rows.map((row) => row.data as Record<string, unknown>);
  }

  async readMine(client_id: string) {
    const url = `/v1/activities/${client_id}`;
    return (await this.api.app.inject({ url, headers: this.athlete.headers })).json().data;
  }

  /** The row of all time: early on a Monday, an activity of some hours ago was last week. */
  async readMyRow() {
    const url = '/v1/leaderboards?period=all';
    return (await this.api.app.inject({ url, headers: this.athlete.headers })).json().data.me;
  }

  /** Returns the ledger entries of the athlete, in order. */
  async readLedger(): Promise<number[]> {
    const rows = await this.api.database
      .selectFrom('score_ledger')
      .select('points')
      .where('user_id', '=', this.athlete.user.id)
      .orderBy('id')
      .execute();
    return rows.map((row) => row.points);
  }
}
