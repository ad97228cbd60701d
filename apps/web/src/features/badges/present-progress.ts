import { BADGES } from '@sendlap/domain/badges.ts';
import type { BadgeCopy } from './queries.ts';

const OF_ONE_WEEK: readonly string[] = ['active_days', 'week_points', 'week_sports'];

/** Badges as they stand this week, out of those that were read in another one: what has to be done in one week begins anew. */
export function inAnotherWeek(badges: readonly BadgeCopy[]): BadgeCopy[] {
  return badges.map((badge) =>
    badge.earned_at === null && OF_ONE_WEEK.includes(BADGES[badge.id].kind) ? { ...badge, progress: 0 } : badge,
  );
}
