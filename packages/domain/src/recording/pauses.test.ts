import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ClockMeasurement, ClockReading } from './clock-correction.ts';
import {
  beginPause,
  correctPauses,
  endPause,
  isInDoubt,
  isPaused,
  type Pause,
  pausedMs,
  pausedSeconds,
} from './pauses.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const pause = (from: number, to: number | null): Pause => ({
  since: { at_ms: from },
  until: to === null ? null : { at_ms: to },
});

describe('pausing and resuming', () => {
  test('a pause begins once, and ends once', () => {
    const first = beginPause([], { at_ms: 10 });
    expect(isPaused(first)).toBe(true);
    expect(beginPause(first, { at_ms: 20 })).toEqual(first);
    const ended = endPause(first, { at_ms: 30 });
    expect(ended).toEqual([pause(10, 30)]);
    expect(isPaused(ended)).toBe(false);
    expect(endPause(ended, { at_ms: 40 })).toEqual(ended);
    expect(isPaused([])).toBe(false);
  });
});

describe('the sum of the pauses', () => {
  const span = { started_at: 100, ended_at: 200 };

  test.each([
    ['without a pause', [], 0],
    ['between start and end', [pause(120, 150)], 30],
    ['that goes on until the end', [pause(180, null)], 20],
    ['of pauses after each other', [pause(110, 120), pause(130, 150)], 30],
    ['in two pauses counts once', [pause(110, 150), pause(120, 160), pause(110, 115)], 50],
    ['before the start counts not', [pause(0, 90), pause(50, 110)], 10],
    ['after the end counts not', [pause(190, 300), pause(250, null)], 10],
    ['that ends before it began does not count', [pause(150, 120)], 0],
  ])('%s', (_, pauses, expected) => {
    expect(pausedMs(pauses, span)).toBe(expected);
  });

  test('properties: it counts each millisecond once, and is never longer than the activity', () => {
    const time = fc.integer({ min: 0, max: 60 });
    const any_pause = fc.record({ from: time, to: fc.option(time) }).map(({ from, to }) => pause(from, to));
    fc.assert(
      fc.property(fc.array(any_pause, { maxLength: 5 }), time, time, (pauses, started_at, length) => {
        const ended_at = started_at + length;
        const isIn = (ms: number) =>
          pauses.some(({ since, until }) => since.at_ms <= ms && ms < (until?.at_ms ?? Number.POSITIVE_INFINITY));
        const at_rest = Array.from({ length }, (_, index) => started_at + index).filter(isIn);
        expect(pausedMs(pauses, { started_at, ended_at })).toBe(at_rest.length);
      }),
    );
  });

  test('whole seconds are never more than those of the activity', () => {
    const started_at = 0;
    expect(pausedSeconds([pause(0, null)], { started_at, ended_at: 1999 })).toBe(1);
    expect(pausedSeconds([pause(400, 1900)], { started_at, ended_at: 5000 })).toBe(2);
    expect(pausedSeconds([pause(0, null)], { started_at: 10, ended_at: 0 })).toBe(0);
  });
});

describe('moments that the clock did not prove', () => {
  const START_MS = Date.UTC(2026, 10, 21, 17);
  const reading = (minute: number, moved_ms = 0): ClockReading => ({
    wall_ms: START_MS + minute * MINUTE_MS + moved_ms,
    monotonic_ms: minute * MINUTE_MS,
    page_id: 'page',
  });
  const measured = (minute: number, moved_ms = 0): ClockMeasurement => ({
    ...reading(minute, moved_ms),
    offset_ms: -moved_ms,
  });
  const note = (minute: number, moved_ms: number) => ({
    at_ms: START_MS + minute * MINUTE_MS + moved_ms,
    clock: { moment: reading(minute, moved_ms), before: measured(0) },
  });
  const rest = (pauses: Pause[]) =>
    pausedMs(pauses, { started_at: START_MS, ended_at: START_MS + 60 * MINUTE_MS }) / MINUTE_MS;

  test.each([
    ['three days ahead', 3 * DAY_MS],
    ['three days behind', -3 * DAY_MS],
    ['twenty minutes ahead', 20 * MINUTE_MS],
  ])('a clock that was set %s in the pause', (_, moved_ms) => {
    const noted: Pause[] = [{ since: { at_ms: START_MS + 10 * MINUTE_MS }, until: note(25, moved_ms) }];
    expect(isInDoubt(noted)).toBe(true);
    expect(rest(noted)).not.toBe(15);
    const corrected = correctPauses(noted, measured(50, moved_ms));
    expect(rest(corrected)).toBe(15);
    expect(isInDoubt(corrected)).toBe(false);
  });

  test('a pause that was noted wholly by a clock that had been set', () => {
    const noted: Pause[] = [{ since: note(10, DAY_MS), until: note(25, DAY_MS) }];
    expect(rest(noted)).toBe(0);
    expect(rest(correctPauses(noted, measured(50, DAY_MS)))).toBe(15);
  });

  test('a moment that cannot be known becomes the nearest possible one', () => {
    // On another page nothing compares the clocks; half an hour ahead is possible, three days are not.
    const killed = (minute: number, moved_ms: number) => {
      const noted = note(minute, moved_ms);
      return { ...noted, clock: { ...noted.clock, moment: { ...noted.clock.moment, page_id: 'other' } } };
    };
    const after: ClockMeasurement = { ...measured(90, MINUTE_MS * 30), page_id: 'third' };
    const [unsure] = correctPauses([{ since: killed(40, 30 * MINUTE_MS), until: null }], after);
    expect(unsure?.since.at_ms).toBe(START_MS + 70 * MINUTE_MS);
    const [bounded] = correctPauses([{ since: killed(40, 3 * DAY_MS), until: null }], after);
    expect(bounded?.since.at_ms).toBeLessThanOrEqual(START_MS + 90 * MINUTE_MS + SECOND_MS);
  });
});
