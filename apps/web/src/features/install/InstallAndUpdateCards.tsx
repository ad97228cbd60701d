import { useEffect, useState } from 'react';
import { useSession } from '#web/shared/api/use-session.ts';
import { deviceStorage } from '#web/shared/device/device-storage.ts';
import { useUpdatesHeld } from '#web/shared/device/hold-updates.ts';
import { waitForRetryOpportunity } from '#web/shared/device/wait-for-retry-opportunity.ts';
import { loadNamespaces } from '#web/shared/i18n/i18n.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { CornerCard } from '#web/shared/ui/CornerCard.tsx';
import { Button } from '#web/shared/ui/controls/Button.tsx';
import { loadWithRetry } from '#web/shared/ui/feedback/load-with-retry.ts';
import { InstallCard } from './InstallCard.tsx';
import { applyUpdate, readVersion, registerServiceWorker } from './service-worker.ts';

/** The version that the user chose to take later. */
const POSTPONED_KEY = 'postponed-version';

interface Update {
  worker: ServiceWorker;
  version: string;
}

/** Registers the service worker and offers updates and installing: one card at a time, never during an activity. */
export function InstallAndUpdateCards() {
  const { user } = useSession();
  const are_updates_held = useUpdatesHeld();
  const [ready, setReady] = useState(false);
  const [update, setUpdate] = useState<Update | null>(null);
  useEffect(() => {
    const offer = async (worker: ServiceWorker) => {
      const version = await readVersion(worker);
      if (worker.state === 'installed' && version !== deviceStorage.getItem(POSTPONED_KEY))
        setUpdate({ worker, version });
    };
    registerServiceWorker((worker) => void offer(worker)).catch((error: unknown) =>
      console.warn('service worker', error),
    );
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
  if (update) {
    const postpone = () => {
      deviceStorage.setItem(POSTPONED_KEY, update.version);
      setUpdate(null);
    };
    return <UpdateCard waiting={update.worker} onLater={postpone} />;
  }
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
      <p className="mt-1 text-label text-ink-soft">{t('updateText')}</p>
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
