import { describe, expect, test } from 'vitest';
import { addDays, isoWeekKey } from '../dates.ts';
import { longestStreak, streakAt } from './streaks.ts';

const FIRST_MONDAY = '2026-01-05';

/** Key of the nth week, counted from 1. */
const keyOf = (nth: number) => isoWeekKey(addDays(FIRST_MONDAY, 7 * (nth - 1)));

/** Consecutive weeks with this many active days each, from Monday on; omits weeks without any. */
function weeksOf(counts: number[]) {
  return counts.flatMap((count, index) => (count === 0 ? [] : [{ week_key: keyOf(index + 1), days: 2 ** count - 1 }]));
}

/** The streak in the week after these, in which the athlete was not active yet. */
const nextAfter = (...counts: number[]) => streakAt(weeksOf(counts), keyOf(counts.length + 1));
/** The streak in the last of these weeks. */
const during = (...counts: number[]) => streakAt(weeksOf(counts), keyOf(counts.length));

describe('target', () => {
  test('a new athlete needs one day', () => {
    expect(nextAfter()).toEqual({
      weeks: 0,
      target_days: 1,
      days_this_week: 0,
      rest_available: false,
      on_target_of_8: 0,
    });
  });

  test.each([
    // The 4th smallest of 8; weeks before the first one count as zero.
    [[3, 3, 3, 3], 1],
    [[3, 3, 3, 3, 3], 3],
    [[1, 2, 3, 4, 5, 6, 7, 2], 3],
    [[1, 1, 1, 2, 2, 2, 2, 2], 2],
    [[0, 0, 0, 0, 7, 7, 7, 7], 1],
    [[7, 7, 7, 7, 7, 7, 7, 7], 4],
    // Only the last 8 count.
    [[7, 7, 7, 2, 2, 2, 2, 2, 2, 2, 2], 2],
  ])('after weeks of %j active days it is %i', (counts, target) => {
    expect(nextAfter(...counts).target_days).toBe(target);
  });

  test('the running week does not raise its own target', () => {
    expect(during(3, 3, 3, 3, 7)).toMatchObject({ target_days: 1, days_this_week: 7 });
  });
});

describe('streak', () => {
  test('the running week counts once it is on target, and before that breaks nothing', () => {
    expect(during(1, 1, 0)).toMatchObject({ weeks: 2, days_this_week: 0 });
    expect(during(1, 1, 1)).toMatchObject({ weeks: 3, days_this_week: 1 });
    // Five weeks of three days make a target of three.
    expect(during(3, 3, 3, 3, 3, 2)).toMatchObject({ weeks: 5, target_days: 3 });
    expect(during(3, 3, 3, 3, 3, 3)).toMatchObject({ weeks: 6, target_days: 3 });
  });

  test('one missed week is forgiven: it neither counts nor breaks', () => {
    expect(nextAfter(1, 1, 0)).toMatchObject({ weeks: 2, rest_available: false });
    expect(nextAfter(1, 1, 0, 1)).toMatchObject({ weeks: 3, rest_available: false });
  });

  test('a second one within 8 weeks breaks', () => {
    expect(nextAfter(1, 1, 0, 0)).toMatchObject({ weeks: 0 });
    expect(nextAfter(1, 1, 0, 1, 1, 1, 1, 1, 1, 0)).toMatchObject({ weeks: 0 });
  });

  test('the 8th week after a rest may be missed again', () => {
    // The rest is week 3; weeks 4 to 10 are 7 in a row; week 11 is the 8th after it.
    const until_ten = [1, 1, 0, 1, 1, 1, 1, 1, 1, 1];
    expect(nextAfter(...until_ten)).toMatchObject({ weeks: 9, rest_available: true });
    expect(nextAfter(...until_ten.slice(0, -1))).toMatchObject({ weeks: 8, rest_available: false });
    expect(nextAfter(...until_ten, 0)).toMatchObject({ weeks: 9, rest_available: false });
    expect(nextAfter(...until_ten, 0, 1)).toMatchObject({ weeks: 10 });
    expect(nextAfter(...until_ten, 0, 0)).toMatchObject({ weeks: 0 });
  });

  test('nothing is forgiven without a streak, so a rest is not used up', () => {
    // Week 2 is forgiven, week 3 breaks, week 4 is lost without using anything, week 10 is the 8th after the rest.
    expect(nextAfter(1, 0, 0, 0, 1, 1, 1, 1, 1)).toMatchObject({ weeks: 5, rest_available: true });
    expect(nextAfter(1, 0, 0, 0, 1, 1, 1, 1)).toMatchObject({ weeks: 4, rest_available: false });
  });

  test('fewer days than the target are a miss, although there were some', () => {
    // Weeks 6 and 7 need 3: the 4th of 0, 0, 0, 3, 3, 3, 3, 3 and of 0, 0, 2, 3, 3, 3, 3, 3. Only the first miss is
    // forgiven.
    expect(nextAfter(3, 3, 3, 3, 3, 2)).toMatchObject({ weeks: 5, rest_available: false });
    expect(nextAfter(3, 3, 3, 3, 3, 2, 2)).toMatchObject({ weeks: 0 });
    expect(nextAfter(3, 3, 3, 3, 3, 2, 3)).toMatchObject({ weeks: 6 });
  });

  test('it counts how many of the last 8 complete weeks were on target', () => {
    expect(nextAfter(1, 1, 0, 1)).toMatchObject({ on_target_of_8: 3 });
    expect(during(1, 1, 0, 1)).toMatchObject({ on_target_of_8: 2 });
    // Each of the weeks from the 6th on needs three days.
    expect(nextAfter(3, 3, 3, 3, 3, 2, 3, 3, 3)).toMatchObject({ on_target_of_8: 7 });
    expect(nextAfter(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)).toMatchObject({ on_target_of_8: 8 });
  });

  test('the new year does not interrupt it, after week 53 neither', () => {
    const weeks = ['2026-W52', '2026-W53', '2027-W01'].map((week_key) => ({ week_key, days: 1 }));
    expect(streakAt(weeks, '2027-W01')).toMatchObject({ weeks: 3 });
  });
});

describe('longest streak', () => {
  test('none without weeks', () => {
    expect(longestStreak([])).toBe(0);
  });

  test('it stays when a streak breaks, and rests do not count', () => {
    expect(longestStreak(weeksOf([1, 1, 1, 0, 0, 1]))).toBe(3);
    expect(longestStreak(weeksOf([1, 1, 0, 1, 1, 0, 1]))).toBe(4);
    expect(longestStreak(weeksOf([1, 0, 0, 1, 1]).reverse())).toBe(2);
  });
});
