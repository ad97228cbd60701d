import { useEffect, useState } from 'react';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { Button } from '#web/shared/ui/Button.tsx';
import { CornerCard } from '#web/shared/ui/CornerCard.tsx';
import { applyUpdate } from './service-worker.ts';

/** A new version waits: take it now or later. */
export function UpdateCard({ waiting, onLater }: { waiting: ServiceWorker; onLater: () => void }) {
  const { t } = useTranslation('install');
  const [busy, setBusy] = useState(false);
  // It ends with the card, which goes when something begins that must not be interrupted.
  useEffect(() => (busy ? applyUpdate(waiting) : undefined), [busy, waiting]);
  return (
    <CornerCard title={t('updateTitle')}>
      <p className="mt-1 text-[0.9375rem] text-ink-soft">{t('updateText')}</p>
      <div className="mt-4 flex gap-2">
        <Button size="sm" busy={busy} className="flex-1" onClick={() => setBusy(true)}>
          {t('updateNow')}
        </Button>
        <Button size="sm" kind="quiet" onClick={onLater}>
          {t('later')}
        </Button>
      </div>
    </CornerCard>
  );
}
