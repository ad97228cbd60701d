import type { LeaderboardRow } from '@sendlap/contract/leaderboards.ts';
import { keyRows } from './keyed-rows.ts';

/** One thing about a board that is worth a sentence. `name` null: somebody who chose none. */
export type BoardNews =
  | { about: 'hidden' }
  | { about: 'shown' }
  | { about: 'my_rank'; rank: number }
  | { about: 'my_points'; points: number }
  | { about: 'other'; rank: number; name: string | null };

interface Standing {
  items: readonly LeaderboardRow[];
  me: LeaderboardRow | null;
  /** I am on no public board. */
  hidden: boolean;
  /** null: `items` are the whole board. */
  next_cursor: string | null;
}

/**
 * What somebody who can't see the rows move should hear first, of all that changed between two states of one board: that
 * others see me or don't any more, my own place, then my points, then whoever else stands best of those who came or rose
 * with points of their own, not because somebody above has gone. null: nothing of that.
 */
export function tellNews(before: Standing, after: Standing): BoardNews | null {
  const { me } = after;
  if (after.hidden !== before.hidden) return { about: after.hidden ? 'hidden' : 'shown' };
  if (me && me.rank !== before.me?.rank) return { about: 'my_rank', rank: me.rank };
  if (me && me.points !== before.me?.points) return { about: 'my_points', points: me.points };
  const known = new Map(keyRows(before.items).map((row) => [row.key, row]));
  // Rows that only move up from further down have no more points than the last one had.
  const unseen = { rank: Infinity, points: before.next_cursor === null ? 0 : (before.items.at(-1)?.points ?? 0) };
  const risen = keyRows(after.items).find((row) => {
    const { rank, points } = known.get(row.key) ?? unseen;
    return !row.is_me && row.rank < rank && row.points > points;
  });
  return risen ? { about: 'other', rank: risen.rank, name: risen.user.name } : null;
}
