export interface RankChange {
  direction: 'up' | 'down' | 'same';
  /** Places, never negative. */
  places: number;
}

/** How a rank moved since the week before; null for somebody who was not on that board. */
export function rankChange(rank: number, previous_rank: number | null): RankChange | null {
  if (previous_rank === null) return null;
  const gained = previous_rank - rank;
  return { direction: gained > 0 ? 'up' : gained < 0 ? 'down' : 'same', places: Math.abs(gained) };
}
