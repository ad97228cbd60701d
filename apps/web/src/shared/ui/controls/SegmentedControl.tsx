import { useId } from 'react';
import { classes } from '../classes.ts';
import { Icon } from '../icons/Icon.tsx';
import type { IconName } from '../icons/icon-paths.ts';

interface SegmentedControlProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; icon?: IconName }[];
  onChange: (value: Value) => void;
  /** 72 px high instead of 48, while an activity runs. */
  large?: boolean | undefined;
  className?: string;
}

/** One of a few choices, all visible: radio buttons that look like a switch. */
export function SegmentedControl<Value extends string>({
  label,
  value,
  options,
  onChange,
  large = false,
  className,
}: SegmentedControlProps<Value>) {
  const name = useId();
  return (
    <fieldset className={classes('flex min-w-0 flex-wrap rounded-lg bg-sunken p-1', className)}>
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={classes(
            'relative flex flex-1 cursor-pointer items-center justify-center gap-1.5 rounded-md px-1.5 py-1 text-center text-label leading-tight font-medium transition-colors',
            'has-focus-visible:outline-3 has-focus-visible:outline-accent',
            large ? 'min-h-18' : 'min-h-12',
            option.value === value ? 'bg-raised text-ink shadow-low' : 'text-ink-soft',
          )}
        >
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {option.icon && <Icon name={option.icon} size={20} className="max-[359px]:hidden" />}
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
