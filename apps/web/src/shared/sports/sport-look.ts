import type { Sport } from '@sendlap/domain/sports.ts';
import type { IconName } from '#web/shared/ui/icons/icon-paths.ts';

interface SportLook {
  /** Name of its four colour tokens in `styles.css`: `climb`, `climb-tint`, `climb-ink` and `on-climb`. */
  tone: string;
  icon: IconName;
  /** Classes of a filled button, chip or picture. Tailwind finds only classes that are written out. */
  fill: string;
  /** Class of a pale surface. */
  tint: string;
  /** Class of text and icons. */
  ink: string;
  /** Class of the calendar's marks. */
  mark: string;
}

/** How each sport looks. Its words are in the texts, under its name. */
export const SPORT_LOOKS = {
  climbing: {
    tone: 'climb',
    icon: 'mountain',
    fill: 'bg-climb text-on-climb',
    tint: 'bg-climb-tint',
    ink: 'text-climb-ink',
    mark: 'text-climb',
  },
  swimming: {
    tone: 'swim',
    icon: 'wave',
    fill: 'bg-swim text-on-swim',
    tint: 'bg-swim-tint',
    ink: 'text-swim-ink',
    mark: 'text-swim',
  },
} as const satisfies Record<Sport, SportLook>;
