import type { LeaderboardRow } from '@sendlap/contract/leaderboards.ts';
import { initials } from '@sendlap/domain/names.ts';

export type KeyedRow = LeaderboardRow & { key: string };

/**
 * Rows with a name for React: the wire has an id of friends only, so that of others is their name and the how manieth of
 * that name.
 */
export function keyRows(rows: readonly LeaderboardRow[]): KeyedRow[] {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    const name = row.is_me ? 'me' : row.user.public_id ? `friend ${row.user.public_id}` : `other ${row.user.name}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { ...row, key: `${name} ${count}` };
  });
}

/** Who is next above me and by how much, as far as the rows at hand tell; null where they don't. */
export function gapToNext(
  rows: readonly LeaderboardRow[],
  me: LeaderboardRow,
): { name: string | null; points: number } | null {
  const above = rows.filter((row) => row.points > me.points && !row.is_me).at(-1);
  const reaches_me = rows.some((row) => row.points <= me.points);
  return above && reaches_me ? { name: above.user.name, points: above.points - me.points } : null;
}

/** Whether `me` stands first together with somebody else. */
export function sharesLead(rows: readonly LeaderboardRow[], me: LeaderboardRow): boolean {
  return me.rank === 1 && rows.some((row) => !row.is_me && row.points === me.points);
}

/** 'AB' of 'Ana Belmonte', 'A' of 'Ana'; a flag or a family of emoji is one letter. */
export function initialsOf(name: string): string {
  return name.trim() === '' ? '' : initials(name);
}
