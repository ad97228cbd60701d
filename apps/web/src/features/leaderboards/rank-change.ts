export interface RankChange {
  direction: 'up' | 'down' | 'same';
  /** Number of ranks, never negative. */
  places: number;
}

/** Returns how a rank moved since the previous week; null if the athlete was not on that board. */
export function rankChange(rank: number, previous_rank: number | null): RankChange | null {
  if (previous_rank === null) return null;
  const gained = previous_rank - rank;
  return { direction: gained > 0 ? 'up' : gained < 0 ? 'down' : 'same', places: Math.abs(gained) };
}
