import type { LeaderboardRow } from '@sendlap/contract/leaderboards.ts';

/** What all replies about a board have in common. */
export interface BoardView {
  items: LeaderboardRow[];
  me: LeaderboardRow | null;
  total: number;
}

interface Standing {
  rank: number;
  points: number;
  reached_at_ms: number;
}

interface Shown {
  display_name: string | null;
  public_id: string;
}

/** `with_id`: for friends and the caller alone, whose rows lead to them. */
export function presentRow(
  { rank, points, reached_at_ms }: Standing,
  { display_name: name, public_id }: Shown,
  { with_id, is_me }: { with_id: boolean; is_me: boolean },
): LeaderboardRow {
  const user = with_id ? { public_id, name } : { name };
  return { rank, user, points, reached_at: new Date(reached_at_ms).toISOString(), is_me };
}
