import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { competitionRanks, ordinal, rankChange, rankOf, weeklyScore } from './ranks.ts';

const rows = (...points: number[]) => points.map((value) => ({ points: value }));

describe('weeklyScore', () => {
  test('only the best five count, in any order', () => {
    expect(weeklyScore([10, 60, 20, 50, 30, 40])).toBe(200);
    expect(weeklyScore([100, 9, 100])).toBe(209);
    expect(weeklyScore([])).toBe(0);
  });

  test('no choice of five has more', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(800), { maxLength: 9 }), (points) => {
        let best = 0;
        for (let choice = 0; choice < 2 ** points.length; choice += 1) {
          const chosen = points.filter((_, index) => choice & (1 << index));
          if (chosen.length <= 5)
            best = Math.max(
              best,
              chosen.reduce((sum, value) => sum + value, 0),
            );
        }
        expect(weeklyScore(points)).toBe(best);
      }),
    );
  });

  test('it does not change the list', () => {
    const points = [1, 3, 2];
    weeklyScore(points);
    expect(points).toEqual([1, 3, 2]);
  });
});

describe('ranks', () => {
  test('an unsorted board is refused', () => {
    expect(() => competitionRanks(rows(5, 6))).toThrow(RangeError);
  });

  test('ties share a rank and the next one is left out', () => {
    expect(competitionRanks(rows(90, 70, 70, 10))).toEqual([1, 2, 2, 4]);
    expect(competitionRanks(rows(5, 5, 5))).toEqual([1, 1, 1]);
    expect(competitionRanks([])).toEqual([]);
  });

  test('rank is 1 + how many have more', () => {
    expect(rankOf(70, [90, 70, 70, 10])).toBe(2);
    expect(rankOf(71, [90, 70, 70, 10])).toBe(2);
    expect(rankOf(1, [90, 70, 70, 10])).toBe(5);
    expect(rankOf(1, [])).toBe(1);
  });

  test('both agree on any board', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(6), { maxLength: 20 }), (points) => {
        const sorted = [...points].sort((a, b) => b - a);
        expect(competitionRanks(rows(...sorted))).toEqual(sorted.map((score) => rankOf(score, points)));
      }),
    );
  });
});

test.each([
  [1, '1st'],
  [2, '2nd'],
  [3, '3rd'],
  [4, '4th'],
  [10, '10th'],
  [11, '11th'],
  [12, '12th'],
  [13, '13th'],
  [21, '21st'],
  [22, '22nd'],
  [101, '101st'],
  [111, '111th'],
  [112, '112th'],
  [1013, '1013th'],
  [1023, '1023rd'],
])(
  '%i is %s in English and has a º in Spanish [spec 9.ordinal.first, 9.ordinal.second, 9.ordinal.third, 9.ordinal.other]',
  (rank, text) => {
    expect(ordinal(rank, 'en')).toBe(text);
    expect(ordinal(rank, 'es')).toBe(`${rank}.º`);
  },
);

test.each([
  [1, null, null],
  [1, 3, { direction: 'up', places: 2 }],
  [12, 11, { direction: 'down', places: 1 }],
  [4, 4, { direction: 'same', places: 0 }],
] as const)('rank %j after rank %j the week before is %j', (rank, previous, change) => {
  expect(rankChange(rank, previous)).toEqual(change);
});
