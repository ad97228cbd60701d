import { useEffect, useState } from 'react';
import { useSession } from '#web/shared/api/use-session.ts';
import { useUpdatesHeld } from '#web/shared/device/hold-updates.ts';
import { waitForRetryOpportunity } from '#web/shared/device/wait-for-retry-opportunity.ts';
import { loadNamespaces } from '#web/shared/i18n/i18n.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { CornerCard } from '#web/shared/ui/CornerCard.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { loadWithRetry } from '#web/shared/ui/feedback/load-with-retry.ts';
import { InstallCard } from './InstallCard.tsx';
import { applyUpdate, registerServiceWorker } from './service-worker.ts';

/** Registers the service worker and offers updates and installing: one card at a time, never during an activity. */
export function InstallAndUpdateCards() {
  const { user } = useSession();
  const are_updates_held = useUpdatesHeld();
  const [ready, setReady] = useState(false);
  const [waiting, setWaiting] = useState<ServiceWorker | null>(null);
  useEffect(() => {
    registerServiceWorker(setWaiting).catch((error: unknown) => console.warn('service worker', error));
    const controller = new AbortController();
    const load = async () => {
      await loadNamespaces(['install']);
      return true;
    };
    void loadWithRetry({ load, wait: waitForRetryOpportunity }, controller.signal).then((is_loaded) =>
      setReady(is_loaded === true),
    );
    return () => controller.abort();
  }, []);
  if (are_updates_held || !ready) return null;
  if (waiting) return <UpdateCard waiting={waiting} onLater={() => setWaiting(null)} />;
  return user ? <InstallCard /> : null;
}

/** A new version waits: the user takes it now or later. */
function UpdateCard({ waiting, onLater }: { waiting: ServiceWorker; onLater: () => void }) {
  const { t } = useTranslation('install');
  const [busy, setBusy] = useState(false);
  // The update stops waiting when the card unmounts, as happens when an activity starts.
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
