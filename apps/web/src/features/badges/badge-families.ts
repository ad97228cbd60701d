import type { BadgeId } from '@sendlap/domain/progress/badges.ts';
import { SPORT_LOOKS } from '#web/shared/sports/sport-look.ts';
import type { IconName } from '#web/shared/ui/icons/icon-paths.ts';

export const FAMILIES = ['starts', 'regular', 'weeks', 'rhythm', 'explorer', 'distance', 'fairness'] as const;
export type Family = (typeof FAMILIES)[number];

interface BadgeLook {
  family: Family;
  icon: IconName;
}

/** The shelf section of each badge, and its medal's icon. */
export const BADGE_LOOKS: Record<BadgeId, BadgeLook> = {
  first_activity: { family: 'starts', icon: 'flag' },
  swimming_starter: { family: 'starts', icon: SPORT_LOOKS.swimming.icon },
  climbing_rookie: { family: 'starts', icon: SPORT_LOOKS.climbing.icon },
  regular_10: { family: 'regular', icon: 'tally' },
  regular_50: { family: 'regular', icon: 'tally' },
  regular_100: { family: 'regular', icon: 'tally' },
  regular_250: { family: 'regular', icon: 'tally' },
  week_three: { family: 'weeks', icon: 'calendar' },
  rhythm_4: { family: 'rhythm', icon: 'flame' },
  rhythm_12: { family: 'rhythm', icon: 'flame' },
  rhythm_26: { family: 'rhythm', icon: 'flame' },
  who_week: { family: 'weeks', icon: 'check' },
  who_plus: { family: 'weeks', icon: 'plus' },
  explorer_3: { family: 'explorer', icon: 'compass' },
  explorer_5: { family: 'explorer', icon: 'compass' },
  explorer_10: { family: 'explorer', icon: 'compass' },
  all_rounder: { family: 'weeks', icon: 'trophy' },
  kilometre_1: { family: 'distance', icon: SPORT_LOOKS.swimming.icon },
  kilometre_10: { family: 'distance', icon: SPORT_LOOKS.swimming.icon },
  kilometre_50: { family: 'distance', icon: SPORT_LOOKS.swimming.icon },
  kilometre_100: { family: 'distance', icon: SPORT_LOOKS.swimming.icon },
  long_haul: { family: 'distance', icon: SPORT_LOOKS.climbing.icon },
  fair_play: { family: 'fairness', icon: 'shield' },
  official_10: { family: 'fairness', icon: 'scan' },
  official_50: { family: 'fairness', icon: 'scan' },
  official_200: { family: 'fairness', icon: 'scan' },
  comeback: { family: 'rhythm', icon: 'sync' },
};

/** Returns the tier of a badge that comes in several: '50' of regular_50; null for others. */
export function tierOf(id: BadgeId): string | null {
  return /_(\d+)$/.exec(id)?.[1] ?? null;
}
