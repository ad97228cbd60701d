import type { ReactNode } from 'react';
import { SPORT_LABELS, type SportTone } from '#web/shared/sports/sport-tones.ts';
import { classes } from '../classes.ts';
import { Icon } from '../icons/Icon.tsx';
import type { IconName } from '../icons/icon-paths.ts';

export type TagTone = 'neutral' | 'accent' | SportTone | 'gold' | 'danger' | 'outline';

const TONES: Record<TagTone, string> = {
  neutral: 'bg-sunken text-ink-soft',
  accent: 'bg-accent-tint text-accent-ink',
  ...SPORT_LABELS,
  gold: 'bg-gold text-on-gold',
  danger: 'bg-danger-tint text-danger-ink',
  outline: 'text-ink-soft inset-ring-[1.5px] inset-ring-line',
};

interface TagProps {
  tone?: TagTone;
  icon?: IconName;
  /** A text that is too long for one line wraps to a second. */
  wraps?: boolean;
  children: ReactNode;
}

/** A short fact beside other content. Gold is for validated things only. */
export function Tag({ tone = 'neutral', icon, wraps = false, children }: TagProps) {
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1 px-2.5 text-caption font-semibold',
        'min-h-7 rounded-xl py-0.5',
        !wraps && 'whitespace-nowrap',
        TONES[tone],
      )}
    >
      {icon && <Icon name={icon} size={16} />}
      {children}
    </span>
  );
}
