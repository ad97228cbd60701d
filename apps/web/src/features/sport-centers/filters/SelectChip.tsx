import { useRef } from 'react';
import { classes } from '#web/shared/ui/classes.ts';
import { Icon } from '#web/shared/ui/icons/Icon.tsx';

interface SelectChipProps {
  label: string;
  /** The first option, and the button that chooses it. */
  any_label: string;
  /** '': any. */
  value: string;
  /** The value in short; by default its option's name. */
  shown?: string;
  options: readonly { value: string; name: string }[];
  onPick: (value: string) => void;
}

/**
 * The device's native picker styled as a chip: usable with one thumb, large options, accessible. A chip that is on has a
 * button that switches it off.
 */
export function SelectChip({ label, any_label, value, shown, options, onPick }: SelectChipProps) {
  const select = useRef<HTMLSelectElement>(null);
  const is_on = value !== '';

  function clear(): void {
    // The button goes, and would take the focus with it.
    select.current?.focus();
    onPick('');
  }

  return (
    <span
      className={classes(
        'inline-flex min-h-10 shrink-0 rounded-full text-label font-medium whitespace-nowrap shadow-low',
        is_on ? 'bg-accent text-on-accent' : 'bg-surface text-ink-soft',
      )}
    >
      <label
        className={classes(
          'pressable relative inline-flex items-center gap-1 rounded-full pl-4 before:absolute before:-inset-1',
          'has-focus-visible:outline-3 has-focus-visible:outline-accent',
          is_on ? 'pr-1' : 'pr-3',
        )}
      >
        <span aria-hidden="true">
          {is_on ? (shown ?? options.find((option) => option.value === value)?.name) : label}
        </span>
        {!is_on && <Icon name="chevron-down" size={16} />}
        <select
          ref={select}
          aria-label={label}
          value={value}
          onChange={({ target }) => onPick(target.value)}
          className="absolute -inset-1 cursor-pointer appearance-none bg-raised text-ink opacity-0"
        >
          <option value="">{any_label}</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.name}
            </option>
          ))}
        </select>
      </label>
      {is_on && (
        <button
          type="button"
          aria-label={any_label}
          onClick={clear}
          className="pressable relative grid w-10 place-items-center rounded-full before:absolute before:-inset-1"
        >
          <Icon name="x" size={16} />
        </button>
      )}
    </span>
  );
}
