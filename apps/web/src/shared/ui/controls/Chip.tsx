import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { SPORT_FILLS, type SportTone } from '#web/shared/sports/sport-tones.ts';
import { classes } from '../classes.ts';
import { Icon } from '../icons/Icon.tsx';
import type { IconName } from '../icons/icon-paths.ts';

interface ChipProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-pressed'> {
  /** Whether the chip, a switch, is on. */
  selected: boolean;
  icon?: IconName;
  tone?: 'accent' | SportTone;
  children: ReactNode;
}

const SELECTED = {
  accent: 'bg-accent text-on-accent',
  ...SPORT_FILLS,
};

/** A filter that is on or off. It looks 40 px high; its touch target has 48 px. */
export function Chip({ selected, icon, tone = 'accent', className, children, ...rest }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={selected}
      {...rest}
      className={classes(
        'pressable relative inline-flex min-h-10 max-w-full shrink-0 items-center gap-1.5 rounded-xl px-4 py-1.5 text-label font-medium',
        'text-left wrap-break-word before:absolute before:-inset-1',
        selected ? SELECTED[tone] : 'bg-surface text-ink-soft',
        className,
      )}
    >
      {icon && <Icon name={icon} size={18} className="shrink-0" />}
      <span className="min-w-0">{children}</span>
    </button>
  );
}
