import type { LeaderboardRow } from '@sendlap/contract/leaderboards.ts';
import { describe, expect, test } from 'vitest';
import { readBoardFilter, writeBoardFilter } from './board-filter.ts';
import { gapToNext, initialsOf, keyRows } from './keyed-rows.ts';

function row(rank: number, name: string, points: number, is_me = false): LeaderboardRow {
  return { rank, user: { name }, points, reached_at: '2026-11-21T10:00:00Z', is_me };
}

test('two athletes of one name have two keys, and mine is always the same', () => {
  const keys = keyRows([row(1, 'Athlete', 9), row(2, 'Athlete', 8), row(3, 'Ana', 7, true)]).map(({ key }) => key);
  expect(new Set(keys).size).toBe(3);
  expect(keyRows([row(1, 'Ana Renamed', 7, true)])[0]?.key).toBe(keys[2]);
});

describe('the gap to the next', () => {
  const me = row(4, 'Me', 300, true);

  test('is unknown when the rows do not reach me, and there is none for the first', () => {
    expect(gapToNext([row(1, 'Ana', 900), row(2, 'Ben', 800)], me)).toBeNull();
    expect(gapToNext([me, row(2, 'Ben', 200)], me)).toBeNull();
  });

  test('skips those who have as much as I have', () => {
    expect(gapToNext([row(1, 'Ana', 400), row(2, 'Ben', 340), row(3, 'Cid', 300), me], me)).toEqual({
      name: 'Ben',
      points: 40,
    });
  });
});

test('initials are those of the first and the last name, also of names that are no names', () => {
  expect(['Ana Belmonte', 'ana', 'José María Ruiz', '  ', '👋 hi'].map(initialsOf)).toEqual([
    'AB',
    'A',
    'JR',
    '',
    '👋H',
  ]);
});

describe('the filter in the address', () => {
  test('what makes no sense is left out', () => {
    expect(readBoardFilter('sport=curling&center=1%27--')).toEqual({ sport: null, sport_center_id: null });
  });

  test('what is written is read again', () => {
    const center = crypto.randomUUID();
    for (const sport of [null, 'climbing', 'swimming'] as const) {
      for (const sport_center_id of [null, center]) {
        expect(readBoardFilter(writeBoardFilter({ sport, sport_center_id }))).toEqual({ sport, sport_center_id });
      }
    }
  });
});
