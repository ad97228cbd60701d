import type { ButtonHTMLAttributes } from 'react';
import { classes } from '../classes.ts';
import { Icon } from '../icons/Icon.tsx';
import type { IconName } from '../icons/icon-paths.ts';
import { useDisabled } from './use-disabled.ts';

// Without `type`: a submit button would still submit its form while it is `aria-disabled`.
interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> {
  icon: IconName;
  /** The action, for screen readers. */
  label: string;
  /** `floating` for maps and pictures, `tinted` for cards. */
  variant?: 'plain' | 'tinted' | 'floating';
}

const VARIANTS = {
  plain: 'text-ink hover:bg-sunken',
  tinted: 'bg-accent-tint text-accent-ink',
  floating: 'bg-raised text-ink shadow-low',
};

/** The look of an icon button, for buttons that hold more than the icon. */
export function iconButtonClasses(variant: keyof typeof VARIANTS): string {
  return classes(
    'pressable relative inline-grid size-12 shrink-0 place-items-center rounded-full disabled:opacity-60',
    VARIANTS[variant],
  );
}

/** A round 48 px button with only an icon. */
export function IconButton({ icon, label, variant = 'plain', className, disabled, onClick, ...rest }: IconButtonProps) {
  const disabled_props = useDisabled(disabled);
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...disabled_props}
      {...rest}
      onClick={disabled ? undefined : onClick}
      className={classes(iconButtonClasses(variant), disabled_props['aria-disabled'] && 'opacity-60', className)}
    >
      <Icon name={icon} />
    </button>
  );
}
