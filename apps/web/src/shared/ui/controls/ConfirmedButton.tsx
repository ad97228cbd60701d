import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useErrorText } from '#web/shared/i18n/use-error-text.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { NetworkButton } from '#web/shared/ui/controls/NetworkButton.tsx';
import { Problem } from '#web/shared/ui/controls/Problem.tsx';

interface ConfirmedButtonProps {
  label: string;
  /** What the action means; shown before it is done. */
  question: string;
  mutation: { isPending: boolean; error: Error | null };
  onConfirm: () => void;
}

/** A button for what cannot be undone: the first press asks, the second one acts. */
export function ConfirmedButton({ label, question, mutation, onConfirm }: ConfirmedButtonProps) {
  const { t } = useTranslation(['center-management', 'shell']);
  const errorText = useErrorText();
  const [is_asking, setAsking] = useState(false);
  const part = useRef<HTMLDivElement>(null);
  // The pressed button is removed: the focus goes to the button in its place, while asking to the harmless one.
  const ask = (asking: boolean) => {
    flushSync(() => setAsking(asking));
    part.current?.querySelector('button')?.focus();
  };
  if (!is_asking)
    return (
      <div ref={part}>
        <Button kind="danger" size="sm" wide onClick={() => ask(true)}>
          {label}
        </Button>
      </div>
    );
  return (
    <div ref={part} className="flex flex-col gap-2 rounded-md bg-danger-tint p-3">
      <p role="status" className="px-1 text-danger-ink">
        {question}
      </p>
      {mutation.error && <Problem>{errorText(mutation.error)}</Problem>}
      <div className="flex gap-2">
        <Button kind="quiet" size="sm" className="flex-1" onClick={() => ask(false)}>
          {t('center-management:keep')}
        </Button>
        <NetworkButton kind="danger" size="sm" className="flex-1" busy={mutation.isPending} onClick={onConfirm}>
          {label}
        </NetworkButton>
      </div>
    </div>
  );
}
