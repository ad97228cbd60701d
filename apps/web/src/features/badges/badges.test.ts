import { BADGE_IDS } from '@sendlap/domain/progress/badges.ts';
import { expect, test } from 'vitest';
import { createMeasures } from '#web/shared/units/measures.ts';
import { BADGE_LOOKS, FAMILIES, tierOf } from './badge-families.ts';
import { createAmounts } from './format-amount.ts';
import { badgesEarnedSince, resetWeeklyProgress } from './weekly-progress.ts';

const amountsIn = (locale: string, swimming: 'm' | 'yd' = 'm') =>
  createAmounts(createMeasures({ distance: 'km', swimming, body: 'kg' }, locale), locale);

test('every family of the shelf has badges, and every badge is in one of them', () => {
  const families = BADGE_IDS.map((id) => BADGE_LOOKS[id].family);
  expect(new Set(families)).toEqual(new Set(FAMILIES));
});

test.each([
  ['regular_250', '250'],
  ['kilometre_1', '1'],
  ['who_week', null],
  ['week_three', null],
] as const)('the medal of %s carries the step %j', (id, step) => {
  expect(tierOf(id)).toBe(step);
});

test.each([
  ['activities', 7, 'en', '7'],
  ['week_points', 1_200, 'en', '1,200'],
  ['swum_m', 2_450, 'en', '2.5 km'],
  ['swum_m', 50_000, 'es', '50 km'],
  ['climb_minutes', 120, 'en', '120 minutes'],
  ['streak_weeks', 1, 'es', '1 semana'],
  ['pause_days', 30, 'es', '30 días'],
] as const)('%s of %d reads in %s: %s', (kind, amount, locale, text) => {
  expect(amountsIn(locale).goal(kind, amount)).toBe(text);
});

test.each([
  ['swum_m', 975, 1_000, 'en', '0.9', '25 m', 25],
  ['swum_m', 99_975, 100_000, 'en', '99.9', '25 m', 25],
  ['swum_m', 0, 1_000, 'es', '0', '1 km', 1],
  ['swum_m', 999, 1_000, 'es', '0,9', '1 m', 1],
  ['swum_m', 8_951, 10_000, 'es', '8,9', '1,1 km', 1.1],
  ['week_points', 331, 600, 'en', '331', '269', 269],
  ['climb_minutes', 119, 120, 'en', '119', '1 minute', 1],
] as const)('%s: %d of %d never reads like the goal, in %s', (kind, done, goal, locale, shown, amount, count) => {
  expect(amountsIn(locale).progress(kind, done, goal)).toBe(shown);
  expect(amountsIn(locale).remaining(kind, goal - done)).toEqual({ amount, count });
});

test('in yards and miles a goal has the unit of its progress, and the rest is rounded up', () => {
  const { goal, progress, remaining } = amountsIn('en', 'yd');
  expect([goal('swum_m', 1_000), progress('swum_m', 975, 1_000), remaining('swum_m', 25)]).toEqual([
    '1,094 yd',
    '1,066',
    { count: 28, amount: '28 yd' },
  ]);
  expect([goal('swum_m', 10_000), progress('swum_m', 9_999, 10_000), remaining('swum_m', 2_000)]).toEqual([
    '6.3 mi',
    '6.2',
    { count: 1.3, amount: '1.3 mi' },
  ]);
});

test('progress within a week starts again with the next, totals and earned badges stay', () => {
  const shelf = [
    { id: 'who_week', earned_at: null, progress: 331, goal: 600 },
    { id: 'week_three', earned_at: '2026-11-21T10:00:00.000Z', progress: 3, goal: 3 },
    { id: 'kilometre_1', earned_at: null, progress: 975, goal: 1_000 },
  ] as const;
  expect(resetWeeklyProgress(shelf).map(({ progress }) => progress)).toEqual([0, 3, 975]);
});

test('missed are the badges earned since then, not earlier or later ones', () => {
  const since = Date.parse('2026-11-21T10:00:00Z');
  const shelf = [
    { id: 'first_activity', earned_at: '2026-11-21T09:59:59.999Z' },
    { id: 'swimming_starter', earned_at: '2026-11-21T10:00:00.000Z' },
    { id: 'climbing_rookie', earned_at: null },
  ] as const;
  expect(badgesEarnedSince(shelf, since)).toEqual(['swimming_starter']);
});
