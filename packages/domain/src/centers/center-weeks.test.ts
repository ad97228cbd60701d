import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Sport } from '../sports.ts';
import { hideSmallCounts, MIN_PEOPLE, type RecordedWeek } from './center-weeks.ts';

interface Recorded {
  person: number;
  sport: Sport;
  minutes: number;
  metres: number | null;
  is_confirmed: boolean;
}

const peopleOf = (some: Recorded[]) => new Set(some.map(({ person }) => person)).size;
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/** Counts activities as the server does. */
function count(all: Recorded[], is_running = false): RecordedWeek {
  const counts = (some: Recorded[]) => ({
    people: peopleOf(some),
    activities: some.length,
    minutes: sum(some.map(({ minutes }) => minutes)),
  });
  return {
    week_key: '2026-W47',
    is_running,
    ...counts(all),
    sports: (['climbing', 'swimming'] as const).map((sport) => {
      const some = all.filter((each) => each.sport === sport);
      return {
        sport,
        ...counts(some),
        metres: sum(some.map(({ metres }) => metres ?? 0)),
        people_with_metres: peopleOf(some.filter(({ metres }) => metres !== null)),
      };
    }),
    confirmed: {
      activities: all.filter(({ is_confirmed }) => is_confirmed).length,
      people_with: peopleOf(all.filter(({ is_confirmed }) => is_confirmed)),
      people_without: peopleOf(all.filter(({ is_confirmed }) => !is_confirmed)),
    },
  };
}

/** `people` athletes with one activity each. */
const some = (people: number, more: Partial<Recorded> = {}, from = 0): Recorded[] =>
  Array.from({ length: people }, (_, at) => ({
    person: from + at,
    sport: 'climbing' as const,
    minutes: 60,
    metres: null,
    is_confirmed: false,
    ...more,
  }));
const swum = { sport: 'swimming', metres: 1000 } as const;

describe('hidden:', () => {
  test.each([0, 1, 4])('everything of %i people', (people) => {
    expect(hideSmallCounts(count(some(people)))).toMatchObject({ total: null, sports: null, confirmed_percent: null });
  });

  test('all sports if one has four people, since the total less the other one is theirs', () => {
    const week = hideSmallCounts(count([...some(20), ...some(4, swum, 20)]));
    expect(week).toMatchObject({ total: { people: 20, activities: 20, hours: 20 }, sports: null });
  });

  test('the metres of four of twenty swimmers', () => {
    const week = hideSmallCounts(count([...some(16, { ...swum, metres: null }), ...some(4, swum, 16)]));
    expect(week.sports?.[1]).toEqual({ sport: 'swimming', activities: 20, hours: 20, metres: null });
  });

  test('the confirmed share if few are confirmed, and if few are not', () => {
    for (const few of [true, false]) {
      const all = [...some(20, { is_confirmed: !few }), ...some(3, { is_confirmed: few }, 20)];
      expect(hideSmallCounts(count(all)).confirmed_percent).toBeNull();
    }
  });
});

test('shown: sports of five athletes, and sports of none', () => {
  expect(hideSmallCounts(count(some(5, { ...swum, is_confirmed: true })))).toEqual({
    week_key: '2026-W47',
    is_running: false,
    total: { people: 5, activities: 5, hours: 5 },
    sports: [
      { sport: 'climbing', activities: 0, hours: 0, metres: null },
      { sport: 'swimming', activities: 5, hours: 5, metres: 5000 },
    ],
    confirmed_percent: 100,
  });
});

test('an athlete who leaves changes no shown number, or all of them by a step that does not reveal theirs', () => {
  const six = count([...some(5, swum), ...some(1, { ...swum, minutes: 95, metres: 2300 }, 5)]);
  const before = hideSmallCounts(six);
  expect(before.total).toEqual({ people: 5, activities: 5, hours: 5 });
  expect(before.sports?.[1]).toMatchObject({ metres: 7000 });
  const after = hideSmallCounts(count(some(5, swum)));
  expect(after).toMatchObject({ total: before.total, confirmed_percent: before.confirmed_percent });
});

test('the running week shows no confirmed share, and no single new activity', () => {
  const before = hideSmallCounts(count(some(6, swum), true));
  expect(before.total).toEqual({ people: 5, activities: 5, hours: 5 });
  expect(before.sports?.[1]).toMatchObject({ activities: 5, hours: 5, metres: 6000 });
  expect(hideSmallCounts(count(some(7, { ...swum, metres: 900 }), true))).toMatchObject({
    total: before.total,
    confirmed_percent: null,
  });
});

const recorded = fc.record({
  person: fc.integer({ min: 0, max: 15 }),
  sport: fc.constantFrom('climbing' as const, 'swimming' as const),
  minutes: fc.integer({ min: 1, max: 180 }),
  metres: fc.option(fc.integer({ min: 0, max: 5000 }), { nil: null }),
  is_confirmed: fc.boolean(),
});

test('neither a shown number nor a difference of shown numbers is of 1 to 4 people', () => {
  fc.assert(
    fc.property(fc.array(recorded, { maxLength: 40 }), fc.boolean(), (all, is_running) => {
      const { total, sports, confirmed_percent } = hideSmallCounts(count(all, is_running));
      /** Groups whose number is shown, or is a shown total less shown parts. */
      const groups: Recorded[][] = [];
      if (total) groups.push(all);
      for (const { sport, metres } of sports ?? []) {
        groups.push(
          all.filter((each) => each.sport === sport),
          all.filter((each) => each.sport !== sport),
        );
        if (metres !== null) groups.push(all.filter((each) => each.sport === sport && each.metres !== null));
      }
      if (confirmed_percent !== null)
        groups.push(
          all.filter(({ is_confirmed }) => is_confirmed),
          all.filter(({ is_confirmed }) => !is_confirmed),
        );
      expect(groups.every((group) => group.length === 0 || peopleOf(group) >= MIN_PEOPLE)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('a hidden sport has at least two values that fit all shown numbers', () => {
  fc.assert(
    fc.property(fc.array(recorded, { minLength: 5, maxLength: 30 }), (all) => {
      const shown = hideSmallCounts(count(all));
      fc.pre(shown.total !== null && shown.sports === null);
      // One activity of another sport: all that is shown stays, but the hidden numbers differ.
      const others = all.flatMap((each, at) => {
        const moved = all.with(at, { ...each, sport: each.sport === 'climbing' ? 'swimming' : 'climbing' } as Recorded);
        const again = hideSmallCounts(count(moved));
        return again.sports === null && JSON.stringify(again) === JSON.stringify(shown) ? [moved] : [];
      });
      expect(others.length).toBeGreaterThan(0);
    }),
    { numRuns: 500 },
  );
});
