import type { LeaderboardRow } from '@sendlap/contract/leaderboards.ts';
import { expect, test } from 'vitest';
import { findAnnouncement } from './board-announcement.ts';

function row(rank: number, name: string | null, points: number, is_me = false): LeaderboardRow {
  return { rank, user: { name }, points, reached_at: '2026-11-21T10:00:00Z', is_me };
}

function board(...items: LeaderboardRow[]) {
  return { items, me: items.find(({ is_me }) => is_me) ?? null, hidden: false, next_cursor: null };
}

const ANA = row(1, 'Ana', 400);
const ME = row(2, 'Me', 300, true);

test('an unchanged board announces nothing, nor one that an athlete has left', () => {
  expect(findAnnouncement(board(ANA, ME), board(ANA, ME))).toBeNull();
  expect(findAnnouncement(board(ANA, row(2, 'Ben', 350)), board(ANA))).toBeNull();
});

test('my own place comes first, then my points', () => {
  const risen = board(row(1, 'Me', 450, true), row(2, 'Ana', 420));
  expect(findAnnouncement(board(ANA, ME), risen)).toEqual({ about: 'my_rank', rank: 1 });
  expect(findAnnouncement(board(ANA), board(ANA, ME))).toEqual({ about: 'my_rank', rank: 2 });
  const richer = board(row(1, 'Ana', 420), row(2, 'Me', 310, true));
  expect(findAnnouncement(board(ANA, ME), richer)).toEqual({ about: 'my_points', points: 310 });
});

test('of other athletes the best one who joined or rose is announced, not one who was passed', () => {
  const before = board(ANA, row(2, 'Ben', 350), row(3, 'Cleo', 100));
  const after = board(row(1, 'Cleo', 500), row(2, 'Ana', 400), row(3, 'Ben', 350));
  expect(findAnnouncement(before, after)).toEqual({ about: 'other', rank: 1, name: 'Cleo' });
  expect(findAnnouncement(board(ANA, ME), board(ANA, ME, row(3, 'Dora', 20)))).toEqual({
    about: 'other',
    rank: 3,
    name: 'Dora',
  });
});

test('hiding, or being shown again, is announced first', () => {
  const hidden = { ...board(ANA, row(2, 'Ben', 200)), me: ME, hidden: true };
  expect(findAnnouncement(board(ANA, ME, row(3, 'Ben', 200)), hidden)).toEqual({ about: 'hidden' });
  expect(findAnnouncement(hidden, board(ANA, ME, row(3, 'Ben', 200)))).toEqual({ about: 'shown' });
});

test('a departure above is not announced as a rise, also not onto the first page', () => {
  const before = { ...board(ANA, row(2, 'Ben', 350), row(3, 'Cleo', 100)), next_cursor: 'more' };
  const after = { ...board(ANA, row(2, 'Cleo', 100), row(3, 'Dora', 90)), next_cursor: 'more' };
  expect(findAnnouncement(before, after)).toBeNull();
  const scored = { ...board(ANA, row(2, 'Ben', 350), row(3, 'Dora', 110)), next_cursor: 'more' };
  expect(findAnnouncement(before, scored)).toEqual({ about: 'other', rank: 3, name: 'Dora' });
});

test('a second athlete without a name is announced as new', () => {
  const nameless = (rank: number, points: number) => row(rank, null, points);
  expect(findAnnouncement(board(nameless(1, 90)), board(nameless(1, 90), nameless(2, 80)))).toEqual({
    about: 'other',
    rank: 2,
    name: null,
  });
});
