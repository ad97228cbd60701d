import type { LeaderboardRow } from '@sendlap/contract/leaderboards.ts';

/** The common part of all board replies. */
export interface BoardView {
  items: LeaderboardRow[];
  me: LeaderboardRow | null;
  total: number;
}

interface RankedScore {
  rank: number;
  points: number;
  reached_at_ms: number;
}

interface ShownPerson {
  display_name: string | null;
  public_id: string;
}

/** `with_id`: only for friends and the caller, whose rows link to their profiles. */
export function presentRow(
  { rank, points, reached_at_ms }: RankedScore,
  { display_name: name, public_id }: ShownPerson,
  { with_id, is_me }: { with_id: boolean; is_me: boolean },
): LeaderboardRow {
  const user = with_id ? { public_id, name } : { name };
  return { rank, user, points, reached_at: new Date(reached_at_ms).toISOString(), is_me };
}
