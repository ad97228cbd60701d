import { createHmac, randomUUID } from 'node:crypto';
import { toBase64Url } from '@sendlap/domain/bytes.ts';
import {
  ACTIVITY_TIME_STEP_MS,
  type ActivityCode,
  appendMac,
  encodeActivityCode,
  MAC_BYTES,
  timeStepAt,
  toDigits,
} from '@sendlap/domain/qr-code.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { type ClockedWorld, FIRST_MOMENT, type PairedKiosk, type Person, type Reply } from '../scenes/clocked-world.ts';
import { venueCodeAt } from '../scenes/kiosk.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** One attempt to cheat, with athletes and referees of its own. */
export interface Attack {
  name: string;
  /** The refusal's code, or the outcome that the rules demand. */
  expected: string;
  /** Returns the refusal's code, or the outcome. */
  attempt(stage: Stage): Promise<string>;
  /** Refused by the shape of the data: there is no check to switch off. */
  has_no_switch?: true;
}

export interface PlannedActivity {
  client_id: string;
  center: string;
  sport: Sport;
  started: number;
  ended: number;
}

/** Everything an athlete and a referee need for a proof, on a clock that moves only when the test moves it. */
export class Stage {
  readonly world: ClockedWorld;
  readonly kiosk: PairedKiosk;
  readonly ada: Person;
  readonly rex: Person;
  now = FIRST_MOMENT + 8 * HOUR_MS;

  private constructor(world: ClockedWorld, kiosk: PairedKiosk, people: [Person, Person]) {
    this.world = world;
    this.kiosk = kiosk;
    [this.ada, this.rex] = people;
  }

  /** Creates an athlete with a phone, and a referee of the first center. */
  static async open(world: ClockedWorld, kiosk: PairedKiosk): Promise<Stage> {
    const people: [Person, Person] = [await world.makePerson('Ada'), await world.makePerson('Rex')];
    await world.grant(people[1], world.center);
    return new Stage(world, kiosk, people);
  }

  async referee(): Promise<Person> {
    const roxy = await this.world.makePerson('Roxy');
    await this.world.grant(roxy, this.world.center);
    return roxy;
  }

  /** A climb at the first center that ended `ago` milliseconds before now. */
  climb({ minutes = 90, ago = MINUTE_MS }: { minutes?: number; ago?: number } = {}): PlannedActivity {
    const ended = this.now - ago;
    const started = ended - minutes * MINUTE_MS;
    return { client_id: randomUUID(), center: this.world.center, sport: 'climbing', started, ended };
  }

  start(planned: PlannedActivity, more: object = {}, who = this.ada): Promise<Reply> {
    return this.post(who, '/v1/activities', {
      client_id: planned.client_id,
      op_id: randomUUID(),
      sport_center_id: planned.center,
      sport_type: planned.sport,
      started_at: iso(planned.started),
      ...more,
    });
  }

  finish(planned: PlannedActivity, more: object = {}, who = this.ada): Promise<Reply> {
    const step = { op_id: randomUUID(), ended_at: iso(planned.ended), ...more };
    return this.post(who, `/v1/activities/${planned.client_id}/finish`, step);
  }

  /** Sends both ops of a climb; throws if one is refused. */
  async record(planned: PlannedActivity, who = this.ada): Promise<PlannedActivity> {
    for (const reply of [await this.start(planned, {}, who), await this.finish(planned, {}, who)]) {
      if (reply.status >= 300) throw new Error(`an honest step was answered ${reply.code}`);
    }
    return planned;
  }

  climbed(options?: { minutes?: number; ago?: number }): Promise<PlannedActivity> {
    return this.record(this.climb(options));
  }

  /** The code that the athlete's phone draws; `key` signs it with another phone's key. */
  code(
    planned: PlannedActivity,
    overrides: Partial<ActivityCode> = {},
    phone: Pick<Person, 'key_id' | 'key'> = this.ada,
    who = this.ada,
  ) {
    const body = encodeActivityCode({
      activity_id: planned.client_id,
      public_id: who.public_id,
      display_name: who.name,
      sport_center_id: planned.center,
      sport_type: planned.sport,
      started_at: planned.started,
      ended_at: planned.ended,
      paused_s: 0,
      intensity: null,
      distance_m: null,
      step: timeStepAt(this.now, ACTIVITY_TIME_STEP_MS),
      key_id: phone.key_id,
      ...overrides,
    });
    const mac = createHmac('sha256', Buffer.from(phone.key, 'base64url')).update(body).digest();
    const sealed = appendMac(body, mac.subarray(0, MAC_BYTES));
    return { payload: toBase64Url(sealed), digits: toDigits(mac), sealed };
  }

  /** Sends a scan made now by a scanner whose clock is right, as a call of its own. */
  scan(payload: string, overrides: object = {}, who = this.rex): Promise<Reply> {
    return this.post(who, '/v1/activities/validate', this.scanBody({ payload, ...overrides }));
  }

  scanBody(overrides: object) {
    const clock = { offset_ms: 0, age_ms: 1000 };
    return { op_id: randomUUID(), decision: 'confirm', scanned_at: iso(this.now), clock, ...overrides };
  }

  /** Returns the outcome of a scan, or the code of its refusal. */
  async scanned(payload: string, overrides: object = {}, who = this.rex): Promise<string> {
    return resultOf(await this.scan(payload, overrides, who));
  }

  venueCode(at = this.now, kiosk = this.kiosk): string {
    return venueCodeAt({ center: { id: kiosk.center } as never, keys: kiosk.keys }, at);
  }

  post(who: Person, url: string, body: object): Promise<Reply> {
    return this.world.call('POST', url, who, this.now, body);
  }

  edit(planned: PlannedActivity, change: object, edited_at = this.now): Promise<Reply> {
    const url = `/v1/activities/${planned.client_id}`;
    return this.world.call('PATCH', url, this.ada, this.now, {
      op_id: randomUUID(),
      edited_at: iso(edited_at),
      ...change,
    });
  }

  /** Returns the activity as the athlete sees it. */
  async look({ client_id }: PlannedActivity, who = this.ada) {
    const { data } = await this.world.call('GET', `/v1/activities/${client_id}`, who, this.now);
    const { status, validation, points, proof_note } = data as unknown as Record<string, string>;
    return { status, validation, points: Number(points), proof_note };
  }
}

export const iso = (at: number) => new Date(at).toISOString();

/** Returns the code of a refusal, or the outcome. Throws for any other reply: a 5xx or a 403 is not a refusal. */
export function resultOf({ status, code, data, ...rest }: Reply): string {
  if (status >= 500 || status === 403) throw new Error(`answered ${status} ${code}`);
  if (status < 300) return typeof data.outcome === 'string' ? data.outcome : 'accepted';
  const { message } = rest as { message?: string };
  if (!code || !message) throw new Error(`a refusal without a code or without words: ${status}`);
  return code;
}
