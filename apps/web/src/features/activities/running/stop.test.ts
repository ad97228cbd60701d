import { describe, expect, test } from 'vitest';
import { canEndNow, isForgotten, proposedEnd, stopTimeError } from './stop.ts';

const HOUR_MS = 3_600_000;
const started_at = '2026-11-21T10:00:00.000Z';
const START_MS = Date.parse(started_at);

describe('an end that was chosen', () => {
  test('is not before the start, not in the future, and is a time at all', () => {
    const now = START_MS + 6 * HOUR_MS;
    for (const ended_at of [START_MS, START_MS - 1, now + 1, Number.NaN])
      expect([ended_at, stopTimeError(ended_at, START_MS, now)]).toEqual([ended_at, 'wrong']);
    expect(stopTimeError(now, START_MS, now)).toBeNull();
  });

  test('that is more than 24 hours after the start is refused as too late, not as in the future', () => {
    const now = START_MS + 30 * HOUR_MS;
    expect(stopTimeError(START_MS + 24 * HOUR_MS + 1, START_MS, now)).toBe('tooLong');
    expect(stopTimeError(START_MS + 24 * HOUR_MS, START_MS, now)).toBeNull();
  });
});

test('an activity is forgotten 4 hours after its start, and cannot end now more than 24 hours after it', () => {
  const at = (hours: number) => START_MS + hours * HOUR_MS;
  expect([3.99, 4, 23].map((hours) => isForgotten({ started_at }, at(hours)))).toEqual([false, true, true]);
  expect([4, 24, 24.01].map((hours) => canEndNow({ started_at }, at(hours)))).toEqual([true, true, false]);
});

test('the proposed end is the end of a usual visit, or the beginning of the running pause', () => {
  const draft = { intensity: null, pool_length_m: 0, lengths: 0 };
  const since = { at_ms: START_MS + HOUR_MS };
  const endWith = (...pauses: { since: typeof since; until: typeof since | null }[]) =>
    proposedEnd({ started_at, draft: { ...draft, pauses } });
  const usual = START_MS + 1.5 * HOUR_MS;
  expect([proposedEnd({ started_at, draft: null }), proposedEnd({ started_at, draft })]).toEqual([usual, usual]);
  expect(endWith({ since, until: { at_ms: START_MS + 2 * HOUR_MS } })).toBe(usual);
  expect(endWith({ since, until: null })).toBe(since.at_ms);
});
