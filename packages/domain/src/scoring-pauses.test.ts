import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ScoreInput, scoreActivity } from './scoring.ts';
import { INTENSITIES } from './sports/sport-record.ts';
import { SPORTS } from './sports.ts';

const MINUTE_S = 60;

const climb = (minutes: number, paused_s: number, fields: Partial<ScoreInput> = {}) =>
  scoreActivity({
    rule_version: 'met-2',
    sport_type: 'climbing',
    started_at: 0,
    ended_at: minutes * MINUTE_S * 1000,
    paused_s,
    intensity: 'moderate',
    intensity_confirmed: false,
    distance_m: null,
    distance_confirmed: false,
    ...fields,
  });

const anyInput: fc.Arbitrary<ScoreInput> = fc.record({
  rule_version: fc.constantFrom('met-1' as const, 'met-2' as const),
  sport_type: fc.constantFrom(...SPORTS),
  started_at: fc.constant(0),
  ended_at: fc.nat(400 * MINUTE_S).map((seconds) => seconds * 1000),
  paused_s: fc.nat(400 * MINUTE_S),
  intensity: fc.constantFrom(...INTENSITIES, null),
  intensity_confirmed: fc.boolean(),
  distance_m: fc.option(fc.nat(20_000)),
  distance_confirmed: fc.boolean(),
  counted_minutes: fc.nat(240),
});

describe('pauses', () => {
  test('an hour with a quarter at rest counts as 45 minutes', () => {
    expect(climb(60, 15 * MINUTE_S)).toMatchObject({ minutes: 45, counted_minutes: 45, points: climb(45, 0).points });
  });

  test('under 10 active minutes nothing scores', () => {
    expect(climb(60, 50 * MINUTE_S)).toMatchObject({ minutes: 10, points: 39 });
    expect(climb(60, 50 * MINUTE_S + 1)).toMatchObject({ minutes: 9, counted_minutes: 0, points: 0 });
  });

  test('a pause takes away the minutes beyond 180 first', () => {
    expect(climb(200, 20 * MINUTE_S)).toMatchObject({ minutes: 180, counted_minutes: 180, points: 709 });
  });

  test('the pace is that from start to end: a pause makes no swimmer faster', () => {
    const swim = (paused_s: number) =>
      climb(60, paused_s, { sport_type: 'swimming', distance_m: 2000, distance_confirmed: true });
    expect(swim(15 * MINUTE_S).active_met_thousandths).toBe(swim(0).active_met_thousandths);
    expect([swim(0).points, swim(15 * MINUTE_S).points]).toEqual([341, 256]);
  });

  test('properties: a pause, or a longer one, never raises the points', () => {
    fc.assert(
      fc.property(anyInput, fc.nat(100 * MINUTE_S), (input, more) => {
        const { points, counted_minutes } = scoreActivity(input);
        const longer = scoreActivity({ ...input, paused_s: input.paused_s + more });
        expect(longer.points).toBeLessThanOrEqual(points);
        expect(longer.counted_minutes).toBeLessThanOrEqual(counted_minutes);
        expect(points).toBeLessThanOrEqual(scoreActivity({ ...input, paused_s: 0 }).points);
        expect(points).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 2000 },
    );
  });
});
