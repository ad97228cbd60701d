import type { LeaderboardRow } from '@sendlap/contract/leaderboards.ts';
import { keyRows } from './keyed-rows.ts';

/** One thing about a board that is worth a sentence. `name` null: somebody who chose none. */
export type BoardNews =
  | { about: 'my_rank'; rank: number }
  | { about: 'my_points'; points: number }
  | { about: 'other'; rank: number; name: string | null };

interface Standing {
  items: readonly LeaderboardRow[];
  me: LeaderboardRow | null;
}

/**
 * What somebody who can't see the rows move should hear first, of all that changed between two states of one board: my
 * own place, then my points, then whoever else stands best of those who came or rose. null: nothing of that.
 */
export function tellNews(before: Standing, after: Standing): BoardNews | null {
  const { me } = after;
  if (me && me.rank !== before.me?.rank) return { about: 'my_rank', rank: me.rank };
  if (me && me.points !== before.me?.points) return { about: 'my_points', points: me.points };
  const ranks = new Map(keyRows(before.items).map(({ key, rank }) => [key, rank]));
  const risen = keyRows(after.items).find((row) => !row.is_me && row.rank < (ranks.get(row.key) ?? Infinity));
  return risen ? { about: 'other', rank: risen.rank, name: risen.user.name } : null;
}
