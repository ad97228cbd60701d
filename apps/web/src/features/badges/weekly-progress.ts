import { BADGES, type BadgeId } from '@sendlap/domain/progress/badges.ts';
import type { BadgeCopy } from './queries.ts';

const WEEKLY_RULE_KINDS: readonly string[] = ['active_days', 'week_points', 'week_sports'];

/** Returns badges fetched in another week as of this week: progress that must be made within one week restarts at 0. */
export function resetWeeklyProgress(badges: readonly BadgeCopy[]): BadgeCopy[] {
  return badges.map((badge) =>
    badge.earned_at === null && WEEKLY_RULE_KINDS.includes(BADGES[badge.id].kind) ? { ...badge, progress: 0 } : badge,
  );
}

/** Returns the badges earned since `since` (ms epoch by the server's clock), which the live stream may have missed. */
export function badgesEarnedSince(badges: readonly Pick<BadgeCopy, 'id' | 'earned_at'>[], since: number): BadgeId[] {
  return badges.filter(({ earned_at }) => earned_at !== null && Date.parse(earned_at) >= since).map(({ id }) => id);
}
