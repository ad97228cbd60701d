import { useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { ConfirmSheet } from '#web/shared/ui/sheet/ConfirmSheet.tsx';

interface DiscardButtonProps {
  onDiscard: () => void;
  /** Default: "Discard". */
  label?: string;
  /** Names the loss; default: an op or message that exists on this device only. */
  text?: string;
  /** Names the deletion, on the button that confirms it; default: "Discard", beside "Keep". */
  confirm?: string;
}

/** Discards something for good, after a confirmation. */
export function DiscardButton({ onDiscard, label, text, confirm }: DiscardButtonProps) {
  const { t } = useTranslation(['outbox', 'shell']);
  const [confirming, setConfirming] = useState(false);
  return (
    <>
      <Button kind="danger" size="sm" wide onClick={() => setConfirming(true)}>
        {label ?? t('discard')}
      </Button>
      {confirming && (
        <ConfirmSheet
          open
          onOpenChange={setConfirming}
          title={confirm && label ? label : t('discardTitle')}
          description={text ?? t('discardText')}
          confirm={confirm ?? t('discard')}
          keep={confirm ? t('shell:cancel') : t('keep')}
          onConfirm={onDiscard}
        />
      )}
    </>
  );
}
