import type { HTMLAttributes } from 'react';
import { SPORT_TINTS, type SportTone } from '#web/shared/sports/sport-tones.ts';
import { classes } from './classes.ts';

interface CardProps extends HTMLAttributes<HTMLElement> {
  tone?: 'surface' | 'sunken' | SportTone | 'gold' | 'accent' | 'danger';
  /** `section` if it has its own heading. */
  as?: 'div' | 'section' | 'article' | 'li';
}

const TONES = {
  surface: 'bg-surface',
  sunken: 'bg-sunken',
  ...SPORT_TINTS,
  gold: 'bg-gold-tint',
  accent: 'bg-accent-tint',
  danger: 'bg-danger-tint',
};

/** A raised tone with 16 px corners: depth comes from the tone, not from a border. */
export function Card({ tone = 'surface', as: Tag = 'div', className, ...rest }: CardProps) {
  return <Tag {...rest} className={classes('rounded-lg p-4', TONES[tone], className)} />;
}
