import { useId, useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { IconButton } from '#web/shared/ui/IconButton.tsx';
import { typedNumber } from './typed-number.ts';

interface NumberStepperProps {
  label: string;
  hint?: string;
  value: number;
  min: number;
  max: number;
  /** What one press changes. */
  step: number;
  onChange: (value: number) => void;
}

/** A number that a wet thumb can change: large buttons, and the keyboard for who wants it. */
export function NumberStepper({ label, hint, value, min, max, step, onChange }: NumberStepperProps) {
  const { t } = useTranslation('qr');
  const id = useId();
  // As it was typed, also while it is empty on the way to another number; null: nobody is typing.
  const [typed, setTyped] = useState<{ text: string; before: number } | null>(null);
  const press = (change: number) => {
    setTyped(null);
    onChange(Math.min(max, Math.max(min, value + change)));
  };
  const type = (text: string) => {
    const before = typed?.before ?? value;
    setTyped({ text, before });
    onChange(typedNumber(text, { before, min, max }));
  };
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-[0.9375rem] font-medium text-ink-soft">
        {label}
      </label>
      <div className="flex items-center gap-2 rounded-lg bg-sunken p-1.5 focus-within:outline-3 focus-within:outline-accent">
        <IconButton
          icon="chevron-left"
          label={t('adjust.less', { label })}
          look="tinted"
          onClick={() => press(-step)}
        />
        <input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          value={typed?.text ?? value}
          onChange={(event) => type(event.target.value.replaceAll(/\D|^0+(?=\d)/g, ''))}
          onBlur={() => setTyped(null)}
          aria-describedby={hint ? `${id}-hint` : undefined}
          className="figures min-w-0 flex-1 bg-transparent text-center text-[1.75rem] font-bold outline-none"
        />
        <IconButton
          icon="chevron-right"
          label={t('adjust.more', { label })}
          look="tinted"
          onClick={() => press(step)}
        />
      </div>
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-ink-faint">
          {hint}
        </p>
      )}
    </div>
  );
}
