import { randomUUID } from 'node:crypto';
import type { TestApp } from '../app/app.ts';
import { buildTestApp } from '../app/app.ts';
import { befriend, makeCenter, type SignedCode, signCode, stepOf } from '../factories.ts';
import {
  accountOf,
  CALLERS,
  type CallerName,
  type Circle,
  grant,
  makeCallers,
  must,
  type Someone,
  signIn,
  signInAs,
} from './callers.ts';

const MINUTE_MS = 60_000;
const SHORT_MS = 500;
/** A minute of climbing between two activities of one athlete. */
const ACTIVITY_MS = 10 * MINUTE_MS;
/** Longer than a friendship has to last before the two can confirm each other. */
const OLD_MS = 48 * 60 * MINUTE_MS;

export interface Recorded {
  client_id: string;
  started_at: number;
  ended_at: number;
}

/** With the id of the op that started it. */
type Sent = Recorded & { op_id: string };

/** Ada with something of everything that a server keeps about a user, and one caller of each kind. */
export class MatrixWorld {
  readonly api: TestApp;
  readonly circle: Circle;
  readonly center: string;
  readonly elsewhere: string;
  /** Only for climbing, with a revoked kiosk and no manager. */
  readonly third: string;
  /** Texts that only some callers may read, by "<who> <what>". */
  readonly canaries: Record<string, string>;
  /** Ada's phone. */
  device = { key_id: '', key: '' };
  /** A user without a part. */
  readonly spare: Someone;
  /** Ada's report of her former friend, as it was sent. */
  report: { client_id: string; [name: string]: unknown } = { client_id: '' };
  readonly #opened_at = Math.floor(Date.now() / 1000) * 1000;
  #slot = 0;
  #running: Recorded | undefined;

  private constructor(api: TestApp, circle: Circle, centers: readonly string[], spare: Someone) {
    this.api = api;
    this.circle = circle;
    [this.center = '', this.elsewhere = '', this.third = ''] = centers;
    this.canaries = circle.people.canaries;
    this.spare = spare;
  }

  static async open(database_url?: string): Promise<MatrixWorld> {
    const centers: string[] = [];
    const api = await buildTestApp({
      ...(database_url === undefined ? {} : { database_url }),
      // No reply of another server is waited for.
      env: { PUSH_ALLOW_LOCAL: '1', OVERPASS_URL: 'http://127.0.0.1:9/', MAP_STREETS_SOURCE: 'http://127.0.0.1:9/map' },
      name_servers: ['127.0.0.1:9'],
      async seed(database) {
        for (let nth = 0; nth < 2; nth += 1) centers.push(await makeCenter(database));
        centers.push(await makeCenter(database, ['climbing']));
      },
    });
    const [center = '', elsewhere = '', third = ''] = centers;
    const circle = await makeCallers(api, { center, elsewhere, third });
    const world = new MatrixWorld(api, circle, centers, await signIn(api, 'Spare'));
    await world.#fillOwner();
    return world;
  }

  get owner(): Someone {
    return this.of('owner');
  }

  of(name: CallerName): Someone {
    return accountOf(this.circle.accounts, name);
  }

  /** A new user without relations. */
  someone(name: string): Promise<Someone> {
    return signIn(this.api, name);
  }

  async friendOf(who: Someone): Promise<{ friend: Someone; friendship_id: string }> {
    const friend = await this.someone('Ben');
    return { friend, friendship_id: await befriend(this.api.database, who, friend) };
  }

  /** Signs a caller in again whose sessions have ended. */
  async signInAgain({ user }: Someone): Promise<void> {
    const { accounts, headers } = this.circle;
    for (const [name, account] of accounts) {
      if (account.user.id !== user.id) continue;
      const who = await signInAs(this.api, account, CALLERS[name] === 'locked');
      accounts.set(name, who);
      headers[name] = who.headers;
    }
  }

  /** An activity of Ada's that ended, beside all earlier ones; `companion` was active there at the same time. */
  async finished(companion?: Someone): Promise<Sent> {
    this.#slot += 1;
    const ended_at = this.#opened_at - this.#slot * (ACTIVITY_MS + MINUTE_MS);
    const times = { started_at: ended_at - ACTIVITY_MS, ended_at };
    if (companion) await this.#record(companion, times);
    return this.#record(this.owner, times);
  }

  async #record(who: Someone, times: Pick<Recorded, 'started_at' | 'ended_at'>): Promise<Sent> {
    const climb = { client_id: randomUUID(), ...times };
    const op_id = await this.#start(who, climb);
    const finish = { op_id: randomUUID(), ended_at: new Date(climb.ended_at).toISOString() };
    await must(this.api, who, 'POST', `/v1/activities/${climb.client_id}/finish`, finish);
    return { ...climb, op_id };
  }

  /** The activity of Ada's that runs: she can have one at a time. */
  async running(): Promise<Recorded> {
    if (this.#running && (await this.#isActive(this.#running))) return this.#running;
    // After the end of the one before, which a caller has finished.
    const ago_ms = this.#running ? SHORT_MS : MINUTE_MS;
    const climb = { client_id: randomUUID(), started_at: Date.now() - ago_ms, ended_at: Date.now() };
    await this.#start(this.owner, climb);
    this.#running = climb;
    return climb;
  }

  /** Deletes the activity that runs, if any: a user can have one at a time. */
  async endRunning(who: Someone): Promise<void> {
    const running = this.api.database.selectFrom('activities').select('id').where('user_id', '=', who.user.id);
    for (const { id } of await running.where('status', '=', 'active').execute())
      await must(this.api, who, 'DELETE', `/v1/activities/${id}`, { op_id: randomUUID() });
  }

  async #isActive({ client_id }: Recorded): Promise<boolean> {
    const row = this.api.database.selectFrom('activities').select('status').where('id', '=', client_id);
    return (await row.executeTakeFirst())?.status === 'active';
  }

  async #start(who: Someone, { client_id, started_at }: Recorded): Promise<string> {
    const body = { client_id, ...this.startBody(started_at) };
    await must(this.api, who, 'POST', '/v1/activities', body);
    return body.op_id;
  }

  startBody(started_at: number) {
    const about = { sport_center_id: this.center, sport_type: 'climbing' as const };
    return { op_id: randomUUID(), ...about, started_at: new Date(started_at).toISOString() };
  }

  codeOf({ client_id, started_at, ended_at }: Recorded, device = this.device): SignedCode {
    const { public_id, name } = this.owner.user;
    return signCode(
      {
        activity_id: client_id,
        public_id,
        display_name: name,
        sport_center_id: this.center,
        sport_type: 'climbing',
        started_at,
        ended_at,
        paused_s: 0,
        intensity: null,
        distance_m: null,
        step: stepOf(new Date()),
        key_id: device.key_id,
      },
      device.key,
    );
  }

  scanBody(climb: Recorded, overrides: object = {}, device = this.device) {
    const clock = { offset_ms: 0, age_ms: 1000 };
    const { payload } = this.codeOf(climb, device);
    return {
      op_id: randomUUID(),
      decision: 'confirm',
      scanned_at: new Date().toISOString(),
      clock,
      payload,
      ...overrides,
    };
  }

  /** Takes back what `referee` has decided: a referee can confirm an athlete three times a day. */
  async makeRoom(): Promise<void> {
    const { database } = this.api;
    const given = database.selectFrom('decisions').select('id').where('scanner_id', '=', this.of('referee').user.id);
    const decision_ids = (await given.where('withdrawn_at', 'is', null).execute()).map(({ id }) => id);
    if (decision_ids.length === 0) return;
    const body = { decision_ids: decision_ids.slice(0, 20), reason: 'Room for more' };
    await must(this.api, this.of('operator'), 'POST', '/v1/manage/reviews/withdrawals', body);
  }

  /** A decision of `referee`, or of a new one, about an activity of Ada's. */
  async decided(decision: 'confirm' | 'reject', referee?: Someone): Promise<Recorded & { scan_op_id: string }> {
    const climb = await this.finished();
    const scanner = referee ?? (await this.someone('Rex'));
    if (!referee) await grant(this.api, scanner.user.id, this.center);
    const body = this.scanBody(climb, { decision, reason: 'Seen by me' });
    const { outcome } = await must(this.api, scanner, 'POST', '/v1/activities/validate', body);
    if (outcome !== 'accepted') throw new Error(`a decision of the referee was ${outcome}`);
    return { ...climb, scan_op_id: body.op_id };
  }

  /** Ada's phone, position, body data, activities, appeal and claim. */
  async #fillOwner(): Promise<void> {
    const { api, owner, canaries } = this;
    const installation_id = randomUUID();
    this.device = await must(api, owner, 'POST', '/v1/devices', { installation_id, name: 'Phone of Ada' });
    const position = { latitude: 43.2600417, longitude: -2.9300528 };
    await must(api, owner, 'POST', '/v1/user-location', position);
    await must(api, owner, 'PATCH', '/v1/users/settings', { presence: true });
    const bio = { age: 31, weight_kg: 61.73, height_cm: 171.3, male: false };
    await must(api, owner, 'POST', '/v1/users/bio-info', bio);
    const validated = await this.decided('confirm');
    const rejected = await this.decided('reject');
    const reason = `I was there ${randomUUID()}`;
    const appeal = { op_id: randomUUID(), appealed_at: new Date().toISOString(), reason };
    await must(api, owner, 'POST', `/v1/activities/${rejected.client_id}/appeal`, appeal);
    const message = `I run the desk ${randomUUID()}`;
    await must(api, owner, 'POST', `/v1/sport-centers/${this.elsewhere}/claim/request`, { message });
    const text = `Rude ${randomUUID()}`;
    // A block hides the two from each other, so she reports her former friend.
    this.report = { client_id: randomUUID(), user_id: this.of('ex_friend').user.id, reason: 'other', text };
    await must(api, owner, 'POST', '/v1/reports', this.report);
    const [user_low = '', user_high = ''] = [owner, this.of('friend')].map(({ user }) => user.id).sort();
    const created_at = new Date(Date.now() - OLD_MS);
    const friendship = api.database.updateTable('friendships').set({ created_at }).where('user_low', '=', user_low);
    await friendship.where('user_high', '=', user_high).execute();
    Object.assign(canaries, {
      'owner installation': installation_id,
      'owner device': this.device.key_id,
      'owner key': this.device.key,
      'owner session': owner.session_id,
      'owner latitude': String(position.latitude),
      'owner longitude': String(position.longitude),
      'owner weight': String(bio.weight_kg),
      'owner height': String(bio.height_cm),
      'owner activity': validated.client_id,
      'owner appealed activity': rejected.client_id,
      'owner appeal': reason,
      'owner claim': message,
      'owner report': text,
    });
  }

  close(): Promise<void> {
    return this.api.close();
  }
}
