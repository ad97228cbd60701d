import type { LeaderboardRow } from '@sendlap/contract/leaderboards.ts';

export type KeyedRow = LeaderboardRow & { key: string };

/** Rows with a React key: only friends come with an id, so the key of others is their name plus its occurrence. */
export function keyRows(rows: readonly LeaderboardRow[]): KeyedRow[] {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    const name = row.is_me ? 'me' : row.user.public_id ? `friend ${row.user.public_id}` : `other ${row.user.name}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { ...row, key: `${name} ${count}` };
  });
}

/** Returns the next athlete above `me` and the gap in points; null unless the loaded rows hold that athlete and end below `me`. */
export function gapToNext(
  rows: readonly LeaderboardRow[],
  me: LeaderboardRow,
): { name: string | null; points: number } | null {
  const above = rows.filter((row) => row.points > me.points && !row.is_me).at(-1);
  const do_rows_reach_me = rows.some((row) => row.points <= me.points);
  return above && do_rows_reach_me ? { name: above.user.name, points: above.points - me.points } : null;
}

/** Whether `me` shares the first rank with another athlete. */
export function sharesLead(rows: readonly LeaderboardRow[], me: LeaderboardRow): boolean {
  return me.rank === 1 && rows.some((row) => !row.is_me && row.points === me.points);
}
