import { describe, expect, test } from 'vitest';
import { addDays, isoWeekKey } from '../dates.ts';
import type { AthleteWeek } from './athlete-weeks.ts';
import { BADGE_IDS, BADGES, type BadgeFacts, type BadgeId, badgeProgress, earnedBadges, nextBadges } from './badges.ts';

const keyOf = (nth: number) => isoWeekKey(addDays('2026-01-05', 7 * nth));

/** The nth week; by default with one climb on its Monday. */
function week(nth: number, facts: Partial<AthleteWeek> = {}): AthleteWeek {
  return {
    week_key: keyOf(nth),
    points: 100,
    days: 1,
    climbs: 1,
    swims: 0,
    swum_m: 0,
    longest_climb_minutes: 30,
    sport_center_ids: ['one'],
    proofs: 'v',
    ...facts,
  };
}

const weeks = (count: number, facts: Partial<AthleteWeek> = {}) =>
  Array.from({ length: count }, (_, nth) => week(nth, facts));
const made = (...all: AthleteWeek[]): BadgeFacts => ({ weeks: all, validations_given: 0 });
const given = (validations_given: number): BadgeFacts => ({ weeks: [], validations_given });
const swim = (swum_m: number) => week(0, { climbs: 0, swims: 1, swum_m });
const centers = (count: number) => Array.from({ length: count }, (_, nth) => `center ${nth}`);
const climbs = (count: number) => made(week(0, { climbs: count }));

/** Facts that just earn a badge, and facts that just miss it. */
const EXAMPLES: Record<BadgeId, [earns: BadgeFacts, misses: BadgeFacts]> = {
  first_activity: [made(week(0)), made()],
  swimming_starter: [made(swim(0)), made(week(0))],
  climbing_rookie: [made(week(0)), made(swim(0))],
  regular_10: [made(week(0, { climbs: 4 }), week(1, { climbs: 3, swims: 3 })), climbs(9)],
  regular_50: [climbs(50), climbs(49)],
  regular_100: [climbs(100), climbs(99)],
  regular_250: [climbs(250), climbs(249)],
  week_three: [made(week(0, { days: 0b1010100 })), made(week(0, { days: 0b11, climbs: 5 }), week(1, { days: 0b11 }))],
  rhythm_4: [made(...weeks(4)), made(...weeks(3), week(5))],
  rhythm_12: [made(...weeks(12)), made(...weeks(11))],
  rhythm_26: [made(...weeks(26)), made(...weeks(25))],
  who_week: [made(week(0, { points: 600 })), made(week(0, { points: 599 }), week(1, { points: 599 }))],
  who_plus: [made(week(0, { points: 1200 })), made(week(0, { points: 1199 }))],
  explorer_3: [
    made(week(0, { sport_center_ids: ['a', 'b'] }), week(1, { sport_center_ids: ['b', 'c'] })),
    made(week(0, { sport_center_ids: ['a', 'b'] }), week(1, { sport_center_ids: ['a', 'b'] })),
  ],
  explorer_5: [made(week(0, { sport_center_ids: centers(5) })), made(week(0, { sport_center_ids: centers(4) }))],
  explorer_10: [made(week(0, { sport_center_ids: centers(10) })), made(week(0, { sport_center_ids: centers(9) }))],
  all_rounder: [made(week(0, { climbs: 1, swims: 1 })), made(week(0), week(1, { climbs: 0, swims: 1 }))],
  kilometre_1: [made(swim(600), week(1, { swims: 1, swum_m: 400 })), made(swim(999))],
  kilometre_10: [made(swim(10_000)), made(swim(9_999))],
  kilometre_50: [made(swim(50_000)), made(swim(49_999))],
  kilometre_100: [made(swim(100_000)), made(swim(99_999))],
  long_haul: [made(week(0, { longest_climb_minutes: 120 })), made(week(0, { longest_climb_minutes: 119, climbs: 2 }))],
  fair_play: [
    made(week(1, { proofs: 'rrrrr' }), week(0, { proofs: 'vrrrrr' })),
    made(week(0, { proofs: 'rrrrrrrrr' }), week(1, { proofs: 'vr' })),
  ],
  official_10: [given(10), given(9)],
  official_50: [given(50), given(49)],
  official_200: [given(200), given(199)],
  // Monday to Wednesday 30 days later, and to the day before.
  comeback: [made(week(0), week(4, { days: 0b100 })), made(week(0), week(4, { days: 0b10 }))],
};

describe('every badge', () => {
  test.each(Object.entries(EXAMPLES))('%s is earned by just enough and by nothing less', (id, [earns, misses]) => {
    expect(earnedBadges(earns)).toContain(id);
    expect(earnedBadges(misses)).not.toContain(id);
  });
});

test('the first climb earns First Activity and Climbing Rookie, the first swim Swimming Starter [spec 1.badge.first-activity, 1.badge.climbing-rookie, 1.badge.swimming-starter]', () => {
  expect(earnedBadges(made())).toEqual([]);
  expect(earnedBadges(made(week(0)))).toEqual(['first_activity', 'climbing_rookie']);
  expect(earnedBadges(made(swim(500)))).toEqual(['first_activity', 'swimming_starter']);
});

test('without anything all progress is 0', () => {
  expect(Object.values(badgeProgress(made(), keyOf(0))).every((progress) => progress === 0)).toBe(true);
});

test('progress has the unit of the goal, whatever the order of the weeks', () => {
  const all = [
    week(3, { days: 0b11, points: 450, sport_center_ids: ['two'], proofs: 'rr' }),
    week(0, { climbs: 2, proofs: 'rp', longest_climb_minutes: 75 }),
    week(1, { climbs: 0, swims: 2, swum_m: 1200, proofs: 'rr' }),
  ];
  expect(badgeProgress({ weeks: all, validations_given: 7 }, keyOf(3))).toMatchObject({
    regular_10: 5,
    climbing_rookie: 3,
    swimming_starter: 2,
    week_three: 2,
    // Week 2 was a rest.
    rhythm_4: 3,
    who_week: 450,
    explorer_3: 2,
    all_rounder: 1,
    kilometre_10: 1200,
    long_haul: 75,
    fair_play: 4,
    official_10: 7,
    comeback: 0,
  });
});

describe('only the present run counts as progress towards a goal in one run', () => {
  test.each<[BadgeId, AthleteWeek[], before: number, after: number]>([
    ['rhythm_12', [week(0), week(1), week(2)], 3, 0],
    ['fair_play', [week(0, { proofs: 'rrrrrrrrrp' }), week(1, { proofs: 'rr' })], 2, 2],
    ['who_week', [week(2, { points: 599 })], 599, 0],
    ['week_three', [week(2, { days: 0b11 })], 2, 0],
    ['all_rounder', [week(2)], 1, 0],
    ['comeback', [week(0), week(2)], 0, 0],
    ['regular_10', [week(2)], 1, 1],
  ])('%s', (id, all, in_week, four_later) => {
    const progressIn = (nth: number) => badgeProgress(made(...all), keyOf(nth))[id];
    expect([progressIn(2), progressIn(6)]).toEqual([in_week, four_later]);
  });

  test('the best run ever earns the badge', () => {
    const past = made(week(0, { points: 600, days: 0b111, proofs: 'rrrrrrrrrrp' }), week(9));
    expect(earnedBadges(past)).toEqual(expect.arrayContaining(['who_week', 'week_three', 'fair_play', 'comeback']));
    expect(badgeProgress(past, keyOf(9))).toMatchObject({ who_week: 100, week_three: 1, fair_play: 0, comeback: 0 });
  });
});

describe('next badges', () => {
  const progress = badgeProgress(made(week(0, { climbs: 9, points: 599, longest_climb_minutes: 60 })), keyOf(0));

  test('the nearest come first, one of each family, none that is earned', () => {
    const earned = new Set(earnedBadges(made(week(0, { climbs: 9 }))));
    // 599 / 600, 9 / 10, then 1 / 2 twice in the order of the shelf.
    expect(nextBadges(progress, earned, 4)).toEqual(['who_week', 'regular_10', 'all_rounder', 'long_haul']);
  });

  test('a pause is nothing to look forward to', () => {
    expect(nextBadges(progress, new Set(), BADGE_IDS.length)).not.toContain('comeback');
  });

  test('of a family the next one follows the earned one', () => {
    const earned = new Set<BadgeId>(['first_activity', 'regular_10', 'who_week', 'climbing_rookie']);
    expect(nextBadges(progress, earned, 20)).toEqual(expect.arrayContaining(['regular_50', 'who_plus']));
    expect(nextBadges(progress, new Set(BADGE_IDS), 3)).toEqual([]);
  });
});

test('goals of a family only rise along the shelf', () => {
  const goals = (prefix: string) => BADGE_IDS.filter((id) => id.startsWith(prefix)).map((id) => BADGES[id].goal);
  for (const prefix of ['regular_', 'rhythm_', 'explorer_', 'kilometre_', 'official_']) {
    expect(goals(prefix)).toEqual([...goals(prefix)].sort((a, b) => a - b));
  }
});
