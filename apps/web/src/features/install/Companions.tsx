import { useEffect, useState } from 'react';
import { useSession } from '#web/shared/api/use-session.ts';
import { useUpdatesHeld } from '#web/shared/device/hold-updates.ts';
import { loadNamespaces } from '#web/shared/i18n/i18n.ts';
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
    loadNamespaces(['install']).then(
      () => setReady(true),
      () => {},
    );
  }, []);
  if (held || !ready) return null;
  if (waiting) return <UpdateCard waiting={waiting} onLater={() => setWaiting(null)} />;
  return user ? <InstallCard /> : null;
}
