import { expect, test } from 'vitest';
import { SPORT_RECORDS, SPORTS, WEEK_TOTALS } from './sports.ts';

test('names and numbers of the sports are those in printed codes and stored rows, and none is given twice', () => {
  expect(SPORTS.map((sport) => [sport, SPORT_RECORDS[sport].code_number])).toEqual([
    ['climbing', 1],
    ['swimming', 2],
  ]);
});

test('no two sports share a field of the weekly totals', () => {
  expect(new Set(WEEK_TOTALS).size).toBe(WEEK_TOTALS.length);
});

test('paces are listed slowest first: the score takes the first pair that holds the pace', () => {
  for (const sport of SPORTS) {
    const paces = SPORT_RECORDS[sport].distance?.paces ?? [];
    expect(paces.map(({ pace }) => pace)).toEqual(paces.map(({ pace }) => pace).sort((a, b) => a - b));
  }
});
