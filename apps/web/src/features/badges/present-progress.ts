import { BADGES, type BadgeId } from '@sendlap/domain/progress/badges.ts';
import type { BadgeCopy } from './queries.ts';

const OF_ONE_WEEK: readonly string[] = ['active_days', 'week_points', 'week_sports'];

/** Badges as they stand this week, out of those that were read in another one: what has to be done in one week begins anew. */
export function inAnotherWeek(badges: readonly BadgeCopy[]): BadgeCopy[] {
  return badges.map((badge) =>
    badge.earned_at === null && OF_ONE_WEEK.includes(BADGES[badge.id].kind) ? { ...badge, progress: 0 } : badge,
  );
}

/** Those earned since `since` (ms epoch by the server's clock), which the stream may not have told. */
export function missedBadges(badges: readonly Pick<BadgeCopy, 'id' | 'earned_at'>[], since: number): BadgeId[] {
  return badges.filter(({ earned_at }) => earned_at !== null && Date.parse(earned_at) >= since).map(({ id }) => id);
}
