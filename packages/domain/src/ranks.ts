/** Number of a week's activities that count on a leaderboard. */
export const WEEKLY_BEST_COUNT = 5;

/** Returns the week's score on a leaderboard: the sum of its best 5 matching activities. */
export function weeklyScore(points: readonly number[]): number {
  const best = [...points].sort((a, b) => b - a).slice(0, WEEKLY_BEST_COUNT);
  return best.reduce((sum, value) => sum + value, 0);
}

/** Returns the rank of a score among all scores of a leaderboard: 1 + the number of higher scores. */
export function rankOf(score: number, all: readonly number[]): number {
  return 1 + all.filter((other) => other > score).length;
}

/**
 * Returns the ranks of a whole leaderboard, best first; ties share one ("1, 2, 2, 4"). Throws RangeError for an
 * unsorted list.
 */
export function competitionRanks(rows: readonly { points: number }[]): number[] {
  let rank = 1;
  let previous = Number.POSITIVE_INFINITY;
  return rows.map(({ points }, index) => {
    if (points > previous) throw new RangeError('rows are not sorted by points');
    if (points < previous) rank = index + 1;
    previous = points;
    return rank;
  });
}

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

/** Returns '1st', '2nd', '3rd', '11th' (spec, section 9); Spanish '1.º'. */
export function ordinal(rank: number, language: 'en' | 'es'): string {
  if (language === 'es') return `${rank}.º`;
  const isTeen = Math.floor(rank / 10) % 10 === 1;
  const suffix = isTeen ? undefined : { 1: 'st', 2: 'nd', 3: 'rd' }[rank % 10];
  return `${rank}${suffix ?? 'th'}`;
}
