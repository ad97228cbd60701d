import type { LeaderboardRow } from '@sendlap/contract/leaderboards.ts';
import { keyRows } from './loaded-rows.ts';

/** One thing about a board that is worth announcing. `name` null: the athlete has not chosen one. */
export type BoardAnnouncement =
  | { about: 'hidden' }
  | { about: 'shown' }
  | { about: 'my_rank'; rank: number }
  | { about: 'my_points'; points: number }
  | { about: 'other'; rank: number; name: string | null };

interface BoardState {
  items: readonly LeaderboardRow[];
  me: LeaderboardRow | null;
  /** The user is hidden from public boards. */
  hidden: boolean;
  /** null: `items` are the whole board. */
  next_cursor: string | null;
}

/**
 * The most important change between two states of a board, to be read aloud: whether others see the user, then the
 * user's rank, then the user's points, then the best-ranked other athlete who joined or rose by points of their own
 * (not because an athlete above left). null: none of these.
 */
export function findAnnouncement(before: BoardState, after: BoardState): BoardAnnouncement | null {
  const { me } = after;
  if (after.hidden !== before.hidden) return { about: after.hidden ? 'hidden' : 'shown' };
  if (me && me.rank !== before.me?.rank) return { about: 'my_rank', rank: me.rank };
  if (me && me.points !== before.me?.points) return { about: 'my_points', points: me.points };
  const rows_before = new Map(keyRows(before.items).map((row) => [row.key, row]));
  // Rows that moved up from a page that was not loaded have no more points than the last loaded row had.
  const unseen = { rank: Infinity, points: before.next_cursor === null ? 0 : (before.items.at(-1)?.points ?? 0) };
  const risen = keyRows(after.items).find((row) => {
    const { rank, points } = rows_before.get(row.key) ?? unseen;
    return !row.is_me && row.rank < rank && row.points > points;
  });
  return risen ? { about: 'other', rank: risen.rank, name: risen.user.name } : null;
}
