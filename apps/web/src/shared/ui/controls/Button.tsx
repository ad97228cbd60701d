import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from 'react';
import { SPORT_FILLS, type SportTone } from '#web/shared/sports/sport-tones.ts';
import { classes } from '../classes.ts';
import { Icon } from '../icons/Icon.tsx';
import type { IconName } from '../icons/icon-paths.ts';
import { Spinner } from './Spinner.tsx';
import { useDisabled } from './use-disabled.ts';

export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger' | SportTone;
export type ButtonSize = 'sm' | 'md' | 'lg';

const KINDS: Record<ButtonKind, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-press',
  secondary: 'bg-accent-tint text-accent-ink',
  quiet: 'text-accent-ink hover:bg-accent-tint',
  danger: 'bg-danger-tint text-danger-ink',
  ...SPORT_FILLS,
};
/** 48 px is the minimum touch target; lg (72 px) is for wet or chalky fingers while an activity runs. */
const SIZES: Record<ButtonSize, string> = {
  sm: 'min-h-12 px-4 text-label rounded-md',
  md: 'min-h-14 px-6 text-body rounded-lg',
  lg: 'min-h-18 px-8 text-xl rounded-xl',
};

/** The look of a button, for links that act like one. */
export function buttonClasses(kind: ButtonKind, size: ButtonSize, wide = false): string {
  return classes(
    'pressable inline-flex items-center justify-center gap-2.5 py-1.5 text-center font-semibold select-none',
    'disabled:opacity-60 aria-disabled:opacity-60',
    KINDS[kind],
    SIZES[size],
    wide && 'w-full',
  );
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind;
  size?: ButtonSize;
  icon?: IconName;
  /** Takes the full width of its container. */
  wide?: boolean;
  /** Shows a spinner, in place of the icon if there is one, and ignores further presses. */
  busy?: boolean;
  children: ReactNode;
}

export function Button({ kind = 'primary', size = 'md', icon, wide, busy = false, className, ...props }: ButtonProps) {
  const { children, onClick, disabled, ...rest } = props;
  const disabled_props = useDisabled(disabled);
  // A disabled button would lose the focus while busy; so presses, also by Enter in a form's field, are ignored
  // instead.
  const press = (event: MouseEvent<HTMLButtonElement>) =>
    busy || disabled ? event.preventDefault() : onClick?.(event);
  return (
    <button
      type="button"
      {...disabled_props}
      {...rest}
      onClick={press}
      aria-disabled={busy || disabled_props['aria-disabled'] || rest['aria-disabled']}
      aria-busy={busy || undefined}
      className={classes(buttonClasses(kind, size, wide), className)}
    >
      {busy ? <Spinner /> : icon && <Icon name={icon} size={size === 'lg' ? 28 : 22} className="shrink-0" />}
      <span>{children}</span>
    </button>
  );
}
