import { BADGE_IDS } from '@sendlap/domain/badges.ts';
import { expect, test } from 'vitest';
import { BADGE_LOOKS, FAMILIES, stepOf } from './badge-families.ts';
import { formatAmount } from './format-amount.ts';
import { missedBadges } from './missed-badges.ts';

test('every family of the shelf has badges, and every badge stands in one of them', () => {
  const families = BADGE_IDS.map((id) => BADGE_LOOKS[id].family);
  expect(new Set(families)).toEqual(new Set(FAMILIES));
});

test.each([
  ['regular_250', '250'],
  ['kilometre_1', '1'],
  ['who_week', null],
  ['week_three', null],
] as const)('the medal of %s carries the step %j', (id, step) => {
  expect(stepOf(id)).toBe(step);
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
  expect(formatAmount(kind, amount, locale)).toBe(text);
});

test('missed are the badges earned since then, not those of before nor those to come', () => {
  const since = Date.parse('2026-11-21T10:00:00Z');
  const shelf = [
    { id: 'first_activity', earned_at: '2026-11-21T09:59:59.999Z' },
    { id: 'swimming_starter', earned_at: '2026-11-21T10:00:00.000Z' },
    { id: 'climbing_rookie', earned_at: null },
  ] as const;
  expect(missedBadges(shelf, since)).toEqual(['swimming_starter']);
});
