import { useId } from 'react';
import { classes } from '../classes.ts';
import { useDisabled } from './use-disabled.ts';

interface SwitchProps {
  label: string;
  /** Explains the switch, under the label. */
  description?: string;
  checked: boolean;
  disabled?: boolean;
  /** It shows the chosen value while the change is still pending. */
  busy?: boolean;
  onChange: (checked: boolean) => void;
}

/** On or off, with immediate effect. The whole row is the switch. */
export function Switch({ label, description, checked, disabled = false, busy = false, onChange }: SwitchProps) {
  const id = useId();
  const disabled_props = useDisabled(disabled);
  return (
    <label className={classes('flex min-h-12 items-start gap-4', !disabled && 'cursor-pointer')}>
      <span className="min-w-0 flex-1 wrap-anywhere">
        <span id={id} className="block font-medium">
          {label}
        </span>
        {description && (
          <span id={`${id}-text`} className="mt-0.5 block text-label text-ink-soft">
            {description}
          </span>
        )}
      </span>
      {/* Only the switch is dimmed: its text is read before it can be changed, and without a network. */}
      <span className={classes('relative mt-0.5 inline-flex h-8 w-13 shrink-0', disabled && 'opacity-60')}>
        <input
          type="checkbox"
          role="switch"
          aria-checked={checked}
          {...(busy ? { 'aria-busy': true } : {})}
          aria-labelledby={id}
          {...(description ? { 'aria-describedby': `${id}-text` } : {})}
          checked={checked}
          {...disabled_props}
          onChange={({ target }) => !disabled && onChange(target.checked)}
          className="peer absolute -inset-2 z-1 cursor-[inherit] appearance-none rounded-full"
        />
        <span className="size-full rounded-full bg-sunken inset-ring-2 inset-ring-ink-faint transition-colors peer-checked:bg-accent peer-checked:inset-ring-accent" />
        <span className="absolute top-1.5 left-1.5 size-5 rounded-full bg-ink-faint transition-transform peer-checked:translate-x-5 peer-checked:bg-on-accent motion-reduce:transition-none" />
      </span>
    </label>
  );
}
