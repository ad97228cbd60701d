import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AllottableActivity,
  allotDay,
  levelOf,
  MAX_ACTIVITY_MINUTES,
  MAX_DAY_MINUTES,
  MIN_SCORED_MINUTES,
  type ScoreInput,
  scoreActivity,
  WEEKLY_GOAL_POINTS,
  WEEKLY_STRETCH_POINTS,
} from './scoring.ts';
import { INTENSITIES, type Intensity } from './sports/sport-record.ts';
import { SPORTS, type Sport } from './sports.ts';

const START = Date.UTC(2026, 10, 21, 17);

function input(sport_type: Sport, minutes: number, fields: Partial<ScoreInput> = {}): ScoreInput {
  return {
    rule_version: 'met-1',
    sport_type,
    started_at: START,
    ended_at: START + minutes * 60_000,
    paused_s: 0,
    intensity: 'moderate',
    intensity_confirmed: false,
    distance_m: null,
    distance_confirmed: false,
    ...fields,
  };
}

const points = (sport: Sport, minutes: number, fields: Partial<ScoreInput> = {}) =>
  scoreActivity(input(sport, minutes, fields)).points;

const swimMet = (distance_m: number, minutes: number) =>
  scoreActivity(input('swimming', minutes, { distance_m })).active_met_thousandths;

test('the limits equal those of the product', () => {
  expect([MIN_SCORED_MINUTES, MAX_ACTIVITY_MINUTES, MAX_DAY_MINUTES]).toEqual([10, 180, 240]);
  expect([WEEKLY_GOAL_POINTS, WEEKLY_STRETCH_POINTS]).toEqual([600, 1200]);
});

describe('limits of the points', () => {
  test('under 10 whole minutes nothing scores', () => {
    const score = scoreActivity(input('climbing', 10, { ended_at: START + 10 * 60_000 - 1 }));
    expect(score).toMatchObject({ minutes: 9, counted_minutes: 0, points: 0 });
    expect(points('climbing', 10)).toBe(39);
  });

  test('an end before the start is no negative score', () => {
    expect(scoreActivity(input('swimming', -90, { distance_m: 2000 }))).toMatchObject({ minutes: 0, points: 0 });
  });

  test('nothing beyond 180 minutes counts', () => {
    expect(scoreActivity(input('climbing', 181))).toMatchObject({ minutes: 181, counted_minutes: 180, points: 709 });
    expect(points('climbing', 600)).toBe(709);
  });

  test('the share of the day caps, and never adds', () => {
    expect(scoreActivity(input('climbing', 90, { counted_minutes: 5 }))).toMatchObject({
      counted_minutes: 5,
      points: 20,
    });
    expect(points('climbing', 90, { counted_minutes: 0 })).toBe(0);
    expect(points('climbing', 90, { counted_minutes: 180 })).toBe(355);
    expect(points('climbing', 9, { counted_minutes: 9 })).toBe(0);
  });
});

describe('reference values', () => {
  // Adult Compendium of Physical Activities: climbing of 2024, swimming of 2011.
  test.each([
    ['15537', 'climbing', 'easy', 5800],
    ['15535', 'climbing', 'moderate', 7300],
    ['15534', 'climbing', 'hard', 8800],
    ['18240', 'swimming', 'easy', 5800],
    ['18290', 'swimming', 'moderate', 8300],
    ['18230', 'swimming', 'hard', 9800],
  ] as const)('Compendium %s: %s %s has %i thousandths of a MET while moving', (_code, sport, intensity, met) => {
    const score = scoreActivity(input(sport, 60, { intensity, intensity_confirmed: true }));
    expect(score.active_met_thousandths).toBe(met);
  });

  test.each([
    ['climbing', 'easy', 3490],
    ['climbing', 'moderate', 3940],
    ['climbing', 'hard', 4390],
    ['swimming', 'easy', 5230],
    ['swimming', 'moderate', 7355],
    ['swimming', 'hard', 8630],
  ] as const)('%s %s has a MET of %i thousandths over the whole activity', (sport, intensity, met) => {
    const score = scoreActivity(input(sport, 60, { intensity, intensity_confirmed: true }));
    expect(score.met_thousandths).toBe(met);
    expect(score).toMatchObject({ rule_version: 'met-1', intensity_used: intensity });
  });

  test('climb 90 min moderate: 355', () => expect(points('climbing', 90)).toBe(355));
  test('climb 120 min hard, confirmed: 527', () =>
    expect(points('climbing', 120, { intensity: 'hard', intensity_confirmed: true })).toBe(527));
  test('swim 45 min moderate: 331', () => expect(points('swimming', 45)).toBe(331));
  test('swim 2,000 m in 45 min: 323', () => expect(points('swimming', 45, { distance_m: 2000 })).toBe(323));
  test('swim 3,000 m in 60 min: 458', () => expect(points('swimming', 60, { distance_m: 3000 })).toBe(458));
  test('swim 50 min hard, confirmed: half a point goes up', () =>
    // 8.63 · 50 = 431.5
    expect(points('swimming', 50, { intensity: 'hard', intensity_confirmed: true })).toBe(432));
});

describe('intensity', () => {
  test('a self-declared hard counts as moderate', () => {
    for (const sport of SPORTS) {
      const score = scoreActivity(input(sport, 120, { intensity: 'hard' }));
      expect(score.intensity_used).toBe('moderate');
      expect(score.points).toBe(points(sport, 120));
    }
  });

  test('a distance proves nothing about climbing', () => {
    const score = scoreActivity(input('climbing', 120, { intensity: 'hard', distance_m: 5000 }));
    expect(score).toEqual(scoreActivity(input('climbing', 120)));
  });

  test('without an intensity it is moderate', () => {
    expect(scoreActivity(input('swimming', 45, { intensity: null }))).toEqual(scoreActivity(input('swimming', 45)));
  });

  test('easy stays easy, confirmed or not', () => {
    expect(points('climbing', 100, { intensity: 'easy' })).toBe(349);
    expect(points('climbing', 100, { intensity: 'easy', intensity_confirmed: true })).toBe(349);
  });

  test('with a swum distance the pace decides, whatever was declared', () => {
    for (const intensity of INTENSITIES) expect(points('swimming', 60, { intensity, distance_m: 3000 })).toBe(458);
    expect(scoreActivity(input('swimming', 60, { intensity: 'hard', distance_m: 3000 })).intensity_used).toBe('hard');
  });

  test('no distance, or none above zero, is no pace', () => {
    expect(points('swimming', 45, { distance_m: 0 })).toBe(331);
    expect(scoreActivity(input('swimming', 45, { intensity: 'hard', distance_m: 0 })).intensity_used).toBe('moderate');
  });
});

describe('pace', () => {
  test('it goes through the three given points', () => {
    expect(swimMet(3000, 100)).toBe(5800);
    expect(swimMet(4570, 100)).toBe(8300);
    expect(swimMet(6860, 100)).toBe(10_000);
  });

  test('it is linear between them', () => {
    expect(swimMet(3785, 100)).toBe(7050);
    expect(swimMet(5715, 100)).toBe(9150);
  });

  test('it is clamped at both ends', () => {
    expect(swimMet(1, 100)).toBe(5800);
    expect(swimMet(2999, 100)).toBe(5800);
    expect(swimMet(6861, 100)).toBe(10_000);
    expect(swimMet(90_000, 100)).toBe(10_000);
  });

  test('it is taken over the whole activity, not over the counted minutes', () => {
    const score = scoreActivity(input('swimming', 100, { distance_m: 4570, counted_minutes: 10 }));
    expect(score).toMatchObject({ active_met_thousandths: 8300, points: 74 });
    expect(swimMet(6000, 200)).toBe(5800);
  });

  test('more metres in the same time never score less', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 300 }), fc.nat(20_000), fc.nat(500), (minutes, distance_m, more) => {
        const less = scoreActivity(input('swimming', minutes, { distance_m: distance_m + 1 }));
        const further = scoreActivity(input('swimming', minutes, { distance_m: distance_m + 1 + more }));
        return further.active_met_thousandths >= less.active_met_thousandths && further.points >= less.points;
      }),
    );
  });

  test('whole numbers say the same as the formula in fractions', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 300 }), fc.integer({ min: 1, max: 20_000 }), (minutes, distance_m) => {
        const pace = Math.max(30, Math.min(68.6, distance_m / minutes));
        const met = pace < 45.7 ? 5.8 + ((pace - 30) * 2.5) / 15.7 : 8.3 + ((pace - 45.7) * 1.7) / 22.9;
        expect(Math.abs(swimMet(distance_m, minutes) - 1000 * met)).toBeLessThanOrEqual(0.5 + 1e-6);
      }),
    );
  });
});

test('the score is the formula, for any sport, intensity and length [spec 9.open.scoring]', () => {
  const METS: Record<Sport, Record<Intensity, number>> = {
    climbing: { easy: 3490, moderate: 3940, hard: 4390 },
    swimming: { easy: 5230, moderate: 7355, hard: 8630 },
  };
  const anySport = fc.constantFrom(...SPORTS);
  fc.assert(
    fc.property(
      anySport,
      fc.constantFrom(...INTENSITIES),
      fc.boolean(),
      fc.nat(400),
      (sport, intensity, sure, time) => {
        const used = intensity === 'hard' && !sure ? 'moderate' : intensity;
        const counted = time < 10 ? 0 : Math.min(time, 180);
        const expected = Math.floor((METS[sport][used] * counted + 500) / 1000);
        expect(points(sport, time, { intensity, intensity_confirmed: sure })).toBe(expected);
      },
    ),
  );
});

describe('allotDay', () => {
  const day = (...rows: [string, number, number][]): AllottableActivity[] =>
    rows.map(([id, started_at, minutes]) => ({ id, started_at, minutes }));

  test('an activity under 10 minutes takes none', () => {
    expect([...allotDay(day(['a', 1, 9], ['b', 2, 100]))]).toEqual([
      ['a', 0],
      ['b', 100],
    ]);
  });

  test('180 an activity and 240 a day', () => {
    expect(Object.fromEntries(allotDay(day(['a', 1, 200], ['b', 2, 45], ['c', 3, 45], ['d', 4, 45])))).toEqual({
      a: 180,
      b: 45,
      c: 15,
      d: 0,
    });
  });

  test('the earlier start comes first, then the lower id', () => {
    expect(Object.fromEntries(allotDay(day(['b', 5, 150], ['a', 5, 150], ['z', 1, 30])))).toEqual({
      z: 30,
      a: 150,
      b: 60,
    });
  });

  test('a day without activities is empty', () => {
    expect(allotDay([]).size).toBe(0);
  });

  const activities = fc.uniqueArray(fc.record({ id: fc.uuid(), started_at: fc.nat(5), minutes: fc.nat(260) }), {
    selector: ({ id }) => id,
    maxLength: 12,
  });

  test('the order of arrival does not matter, and the minutes equal those of a clock that runs them down', () => {
    const cases = activities.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(cases, ([list, shuffled]) => {
        const shares = allotDay(shuffled);
        expect(Object.fromEntries(shares)).toEqual(Object.fromEntries(allotDay(list)));
        // Brute force: spend the day minute by minute.
        const keys = list.map(({ id, started_at }) => `${started_at} ${id}`).sort();
        let spent = 0;
        for (const key of keys) {
          const activity = list.find(({ id }) => key.endsWith(id));
          let share = 0;
          while (activity && activity.minutes >= 10 && share < activity.minutes && share < 180 && spent < 240) {
            share += 1;
            spent += 1;
          }
          expect(shares.get(activity?.id ?? '')).toBe(share);
        }
      }),
    );
  });
});

describe('levelOf', () => {
  test.each([
    [-5, 1, 0, 600],
    [0, 1, 0, 600],
    [599, 1, 0, 600],
    [600, 2, 600, 1800],
    [1799, 2, 600, 1800],
    [1800, 3, 1800, 3600],
    [3600, 4, 3600, 6000],
  ])('%i points are level %i', (lifetime, level, starts_at, next_at) => {
    expect(levelOf(lifetime)).toEqual({ level, starts_at, next_at });
  });

  test('level L starts at 300·L·(L−1) exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 100_000 }), (level) => {
        const start = 300 * level * (level - 1);
        expect(levelOf(start).level).toBe(level);
        expect(levelOf(start - 1).level).toBe(level - 1);
      }),
    );
  });
});
