import { useEffect, useState } from 'react';
import { useSession } from '#web/shared/api/use-session.ts';
import { useUpdatesHeld } from '#web/shared/device/hold-updates.ts';
import { waitForHope } from '#web/shared/device/wait-for-hope.ts';
import { loadNamespaces } from '#web/shared/i18n/i18n.ts';
import { loadUntilHere } from '#web/shared/ui/until-here.ts';
import { InstallCard } from './InstallCard.tsx';
import { registerServiceWorker } from './service-worker.ts';
import { UpdateCard } from './UpdateCard.tsx';

/** Registers the worker and asks about updates and installing: one card at a time, never in the way of an activity. */
export function Companions() {
  const { user } = useSession();
  const held = useUpdatesHeld();
  const [ready, setReady] = useState(false);
  const [waiting, setWaiting] = useState<ServiceWorker | null>(null);
  useEffect(() => {
    registerServiceWorker(setWaiting).catch((error: unknown) => console.warn('service worker', error));
    const gone = new AbortController();
    const load = async () => {
      await loadNamespaces(['install']);
      return true;
    };
    void loadUntilHere({ load, wait: waitForHope }, gone.signal).then((is_here) => setReady(is_here === true));
    return () => gone.abort();
  }, []);
  if (held || !ready) return null;
  if (waiting) return <UpdateCard waiting={waiting} onLater={() => setWaiting(null)} />;
  return user ? <InstallCard /> : null;
}
