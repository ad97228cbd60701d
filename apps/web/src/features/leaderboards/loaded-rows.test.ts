import type { LeaderboardRow } from '@sendlap/contract/leaderboards.ts';
import { describe, expect, test } from 'vitest';
import { gapToNext, keyRows, sharesLead } from './loaded-rows.ts';

function row(rank: number, name: string, points: number, is_me = false): LeaderboardRow {
  return { rank, user: { name }, points, reached_at: '2026-11-21T10:00:00Z', is_me };
}

test('a friend is known by the id, also after another name', () => {
  const friend = (name: string | null): LeaderboardRow => ({ ...row(1, '', 9), user: { name, public_id: 'sl-ana' } });
  expect(keyRows([friend('Ana')])[0]?.key).toBe(keyRows([row(1, 'Ben', 9), friend(null)])[1]?.key);
});

test('two athletes of one name have two keys, and mine is always the same', () => {
  const keys = keyRows([row(1, 'Athlete', 9), row(2, 'Athlete', 8), row(3, 'Ana', 7, true)]).map(({ key }) => key);
  expect(new Set(keys).size).toBe(3);
  expect(keyRows([row(1, 'Ana Renamed', 7, true)])[0]?.key).toBe(keys[2]);
});

describe('the gap to the next', () => {
  const me = row(4, 'Me', 300, true);

  test('is unknown when the rows do not reach me, and missing for the first', () => {
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

test('the lead is shared only by athletes with equal points', () => {
  const me = row(1, 'Me', 700, true);
  expect(sharesLead([me, row(2, 'Ana', 699)], me)).toBe(false);
  expect(sharesLead([row(1, 'Ana', 700), me], me)).toBe(true);
  expect(sharesLead([row(1, 'Ana', 900), row(2, 'Ben', 700)], { ...me, rank: 2 })).toBe(false);
});
