import type { Op } from '@sendlap/contract/activities.ts';
import type { ClockMeasurement, ClockNote, ClockReading } from '@sendlap/domain/recording/clock-correction.ts';
import { toTimestamp } from '@sendlap/domain/recording/to-timestamp.ts';
import { MAX_ACTIVITY_DURATION_MS } from '@sendlap/domain/scan-checks.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JudgedOp, judgeTime } from './judge-time.ts';
import { needsAnswer, proposeTimes } from './propose-times.ts';
import type { ActivityTimes, QueuedOp } from './records.ts';

/** Times that the athlete is offered, for any device that was without a contact from before the start. */

const MINUTE_MS = 60_000;
const NOON_MS = Date.parse('2026-11-21T12:00:00Z');
const MAX_DRIFT_MS = 1_000;
/** Times are saved in whole seconds. */
const ROUNDING_MS = 1_000;
const RUNS = 10_000;
const SEED = 1;

/** The true time goes on, the wall clock is set, sleep stops the monotonic one, each page has its own. */
class Device {
  true_ms = NOON_MS;
  #shift_ms = 0;
  #monotonic_ms = 0;
  #page = 0;
  #measured: ClockMeasurement;

  constructor() {
    this.#measured = this.measure();
  }

  run({ pass_min, sleep_ms, is_reloaded, move_min }: Step): void {
    this.true_ms += pass_min * MINUTE_MS + sleep_ms;
    this.#monotonic_ms += pass_min * MINUTE_MS;
    this.#shift_ms += move_min * MINUTE_MS;
    if (!is_reloaded) return;
    this.#page += 1;
    this.#monotonic_ms = 0;
  }

  read(): ClockReading {
    return { wall_ms: this.true_ms + this.#shift_ms, monotonic_ms: this.#monotonic_ms, page_id: String(this.#page) };
  }

  measure(): ClockMeasurement {
    this.#measured = { ...this.read(), offset_ms: -this.#shift_ms };
    return this.#measured;
  }

  /** What the app takes for the server's time, and its note if that is in doubt. */
  now(): { noted_ms: number; clock: ClockNote | undefined; true_ms: number } {
    const [moment, before] = [this.read(), this.#measured];
    const gapOf = ({ wall_ms, monotonic_ms }: ClockReading) => wall_ms - monotonic_ms;
    const is_steady = moment.page_id === before.page_id && Math.abs(gapOf(moment) - gapOf(before)) < MAX_DRIFT_MS;
    const noted_ms = moment.wall_ms + before.offset_ms;
    return { noted_ms, clock: is_steady ? undefined : { moment, before }, true_ms: this.true_ms };
  }
}

interface Step {
  pass_min: number;
  sleep_ms: number;
  is_reloaded: boolean;
  move_min: number;
}

/** A sleep looks like a move by its length, which it never is to the second. */
const Sleep = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 0, max: 600 }).map((minutes) => minutes * MINUTE_MS + 7_000),
);
const Move = fc.oneof(fc.integer({ min: -5_000, max: 5_000 }), fc.integer({ min: -300, max: 300 }));
const stepOf = (move_min: fc.Arbitrary<number>) =>
  fc.record({ pass_min: fc.integer({ min: 0, max: 300 }), sleep_ms: Sleep, is_reloaded: fc.boolean(), move_min });
const Still = stepOf(fc.constant(0));
const Moved = stepOf(Move);

/** A life from one contact to the next: what happens until the start, until the end, and until the contact. */
type Life = [Step[], Step[], Step[]];
const StillLife = fc.tuple(
  fc.array(Still, { maxLength: 2 }),
  fc.array(Still, { minLength: 1, maxLength: 2 }),
  fc.array(Still, { maxLength: 2 }),
);
const Place = fc.record({ part: fc.nat({ max: 2 }), is_first: fc.boolean(), step: Moved });
const movedLife = (moves: number) =>
  fc.tuple(StillLife, fc.array(Place, { minLength: moves, maxLength: moves })).map(
    ([still, places]) =>
      still.map((steps, at) => {
        const here = places.filter(({ part }) => part === at);
        const stepsOf = (is_first: boolean) =>
          here.filter((place) => place.is_first === is_first).map(({ step }) => step);
        return [...stepsOf(true), ...steps, ...stepsOf(false)];
      }) as Life,
  );

const about = { op_id: crypto.randomUUID(), client_id: crypto.randomUUID() };

function rowOf(payload: Op, { noted_ms, clock }: ReturnType<Device['now']>): QueuedOp {
  const { op_id, client_id, kind } = payload;
  const sending = { attempts: 0, last_error: null, hold_until: null };
  const row = { seq: kind === 'start' ? 1 : 2, op_id, client_id, user_id: 'ana', kind, payload, created_at: noted_ms };
  return { ...row, ...sending, ...(clock ? { clock } : {}) };
}

/** Returns the offers after a life, and its true times, ms epoch. */
function live([until_start, until_end, until_contact]: Life) {
  const device = new Device();
  for (const step of until_start) device.run(step);
  const start = device.now();
  for (const step of until_end) device.run(step);
  const end = device.now();
  for (const step of until_contact) device.run(step);
  const contact = device.measure();
  const started_at = toTimestamp(start.noted_ms);
  // The app lets no end come before the start.
  const ended_at = new Date(Math.max(Date.parse(started_at) + 1_000, end.noted_ms)).toISOString();
  const sport = { sport_center_id: about.client_id, sport_type: 'swimming' } as const;
  const rows = [
    rowOf({ kind: 'start', ...about, ...sport, started_at }, start),
    rowOf({ kind: 'finish', ...about, ended_at }, end),
  ];
  const judged = rows.map((row) => judgeTime(row, contact));
  return { judged, offers: proposeTimes(judged, null), start_ms: start.true_ms, end_ms: end.true_ms };
}

const durationOf = ({ started_at, ended_at }: ActivityTimes) => Date.parse(ended_at ?? '') - Date.parse(started_at);
const isNear = (timestamp: string | null, epoch_ms: number) =>
  Math.abs(Date.parse(timestamp ?? '') - epoch_ms) <= ROUNDING_MS;

test('of a clock that was moved once, the true times are always among them', () => {
  const holds = (life: Life) => {
    const { offers, start_ms, end_ms } = live(life);
    fc.pre(end_ms - start_ms >= MINUTE_MS && end_ms - start_ms <= MAX_ACTIVITY_DURATION_MS);
    expect(offers.length).toBeLessThanOrEqual(3);
    expect(offers.some((offer) => isNear(offer.started_at, start_ms) && isNear(offer.ended_at, end_ms))).toBe(true);
  };
  fc.assert(fc.property(movedLife(1), holds), { numRuns: RUNS, seed: SEED });
});

/** Returns a known time as it is sent, in seconds. */
const timeOf = (op: JudgedOp | undefined) => Math.floor(((op?.noted_ms ?? 0) + (op?.move_ms ?? 0)) / 1000);

test('of a clock that was moved twice, none ends before its start or is longer than an activity may be, and none is sent so', () => {
  const holds = (life: Life) => {
    const { offers, judged } = live(life);
    if (!needsAnswer(judged)) expect(timeOf(judged[1])).toBeGreaterThan(timeOf(judged[0]));
    expect(offers.length).toBeGreaterThan(0);
    for (const offer of offers) {
      expect(durationOf(offer)).toBeGreaterThan(0);
      expect(durationOf(offer)).toBeLessThanOrEqual(MAX_ACTIVITY_DURATION_MS);
    }
  };
  fc.assert(fc.property(movedLife(2), holds), { numRuns: RUNS, seed: SEED });
});
