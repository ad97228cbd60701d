import { useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { Sheet } from '#web/shared/ui/sheet/Sheet.tsx';

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
        <Sheet
          open
          onOpenChange={setConfirming}
          title={confirm && label ? label : t('discardTitle')}
          description={text ?? t('discardText')}
        >
          <div className="flex flex-col gap-2">
            <Button
              kind="danger"
              wide
              onClick={() => {
                setConfirming(false);
                onDiscard();
              }}
            >
              {confirm ?? t('discard')}
            </Button>
            <Button kind="secondary" wide onClick={() => setConfirming(false)}>
              {confirm ? t('shell:cancel') : t('keep')}
            </Button>
          </div>
        </Sheet>
      )}
    </>
  );
}
