import type { BadgeId } from '@sendlap/domain/badges.ts';
import type { BadgeCopy } from './queries.ts';

/** Those earned since `since` (ms epoch by the server's clock), which the stream may not have told. */
export function missedBadges(badges: readonly Pick<BadgeCopy, 'id' | 'earned_at'>[], since: number): BadgeId[] {
  return badges.filter(({ earned_at }) => earned_at !== null && Date.parse(earned_at) >= since).map(({ id }) => id);
}
