import { useTranslation } from 'react-i18next';
import { Button } from '#web/shared/ui/Button.tsx';
import { Sheet } from '#web/shared/ui/Sheet.tsx';
import type { PositionFailure } from './device-position.ts';

interface LocationSheetProps {
  /** null: closed. `ask`: why, before the browser asks; otherwise what went wrong and how to change it. */
  state: 'ask' | PositionFailure | null;
  is_busy: boolean;
  onShare: () => void;
  onClose: () => void;
}

/** Says why before the browser asks, and what to do where the answer was no. */
export function LocationSheet({ state, is_busy, onShare, onClose }: LocationSheetProps) {
  const { t } = useTranslation('sport-centers');
  if (state === null) return null;
  const isAsking = state === 'ask';
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={state === 'denied' ? t('location.deniedTitle') : t('location.title')}
    >
      <p className="max-w-[42ch] text-ink-soft">{isAsking ? t('location.reason') : t(`location.${state}`)}</p>
      <div className="mt-6 flex flex-col gap-2">
        <Button icon="locate" wide busy={is_busy} onClick={onShare}>
          {isAsking ? t('location.share') : t('location.tryAgain')}
        </Button>
        <Button kind="quiet" wide onClick={onClose}>
          {t('location.notNow')}
        </Button>
      </div>
    </Sheet>
  );
}
