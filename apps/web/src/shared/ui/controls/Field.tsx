import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { classes } from '../classes.ts';
import { Icon } from '../icons/Icon.tsx';
import type { IconName } from '../icons/icon-paths.ts';

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  /** For search fields whose context makes the purpose plain; screen readers still get the label. */
  label_hidden?: boolean;
  hint?: string;
  error?: string | null;
  icon?: IconName;
  /** For ids and codes: the keyboard neither completes, corrects nor capitalises them. */
  is_code?: boolean;
  /** A button at the end of the field. */
  action?: ReactNode;
}

const CODE_INPUT = { autoCapitalize: 'none', autoComplete: 'off', autoCorrect: 'off', spellCheck: false };

/** A labelled text input with its hint and its error. */
export function Field({ label, label_hidden, hint, error, icon, is_code, action, className, ...input }: FieldProps) {
  const id = useId();
  const help_text = error ?? hint;
  return (
    <div className={className}>
      <label htmlFor={id} className={label_hidden ? 'sr-only' : 'mb-1.5 block text-label font-medium text-ink-soft'}>
        {label}
      </label>
      <div
        className={classes(
          // A sheet is as light as a surface, so only a darker tone shows the input.
          'flex min-h-14 items-center gap-2 rounded-lg bg-surface pl-4 text-ink in-[[role=dialog]]:bg-sunken',
          'has-[input:read-only]:opacity-60',
          'focus-within:outline-3',
          'focus-within:outline-accent',
          action ? 'pr-1' : 'pr-4',
          error && 'outline-2 outline-danger',
        )}
      >
        {icon && <Icon name={icon} size={22} className="shrink-0 text-ink-faint" />}
        <input
          id={id}
          {...(is_code && CODE_INPUT)}
          {...input}
          aria-invalid={error ? true : undefined}
          aria-describedby={help_text ? `${id}-note` : undefined}
          className="min-w-0 flex-1 self-stretch bg-transparent text-body outline-none [&[type=datetime-local]]:text-[min(1.0625rem,5.5vw)] placeholder:text-ink-faint"
        />
        {action}
      </div>
      {help_text && (
        <p
          id={`${id}-note`}
          role={error ? 'alert' : undefined}
          className={classes('mt-1.5 text-sm', error ? 'text-danger-ink' : 'text-ink-faint')}
        >
          {help_text}
        </p>
      )}
    </div>
  );
}
