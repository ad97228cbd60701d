import type { Sport } from '@sendlap/domain/scoring.ts';
import type { IconName } from '#web/shared/ui/icons/icon-paths.ts';

interface SportLook {
  /** Name of the sport's colour tokens, button and card. */
  tone: 'climb' | 'swim';
  icon: IconName;
  /** Class of a surface in the sport's colour. */
  tint: string;
  /** Class of text in the sport's colour. */
  ink: string;
}

export const SPORT_LOOKS: Record<Sport, SportLook> = {
  climbing: { tone: 'climb', icon: 'mountain', tint: 'bg-climb-tint', ink: 'text-climb-ink' },
  swimming: { tone: 'swim', icon: 'wave', tint: 'bg-swim-tint', ink: 'text-swim-ink' },
};
