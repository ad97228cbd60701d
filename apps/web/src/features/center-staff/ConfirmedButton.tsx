import { useState } from 'react';
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
  const { t } = useTranslation(['center-staff', 'shell']);
  const errorText = useErrorText();
  const [is_asking, setAsking] = useState(false);
  if (!is_asking)
    return (
      <Button kind="danger" size="sm" wide onClick={() => setAsking(true)}>
        {label}
      </Button>
    );
  return (
    <div className="flex flex-col gap-2 rounded-md bg-danger-tint p-3">
      <p role="status" className="px-1 text-danger-ink">
        {question}
      </p>
      {mutation.error && <Problem>{errorText(mutation.error)}</Problem>}
      <div className="flex gap-2">
        <Button kind="quiet" size="sm" className="flex-1" onClick={() => setAsking(false)}>
          {t('center-staff:keep')}
        </Button>
        <NetworkButton kind="danger" size="sm" className="flex-1" busy={mutation.isPending} onClick={onConfirm}>
          {label}
        </NetworkButton>
      </div>
    </div>
  );
}
