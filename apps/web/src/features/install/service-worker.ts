import { NO_ROOM } from '#web/shared/local-db/no-room.ts';
import { storageState } from '#web/shared/local-db/storage-state.ts';

const UPDATE_CHECK_EVERY_MS = 3_600_000;

type Listener = (waiting: ServiceWorker) => void;

/**
 * Registers /sw.js and tells `onUpdate` about a new version that waits while an old one runs the page; never at the
 * first install. Browsers without workers, and insecure addresses, simply have no offline start.
 */
export async function registerServiceWorker(onUpdate: Listener): Promise<void> {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  navigator.serviceWorker.addEventListener('message', ({ data }) => {
    if (data?.type === NO_ROOM) storageState.noteFull(data.is_first ? 'app' : 'copies');
  });
  const registration = await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
  const report = () => {
    if (registration.waiting && navigator.serviceWorker.controller) onUpdate(registration.waiting);
  };
  report();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', report);
  });
  checkForUpdates(registration);
}

/** Installed apps stay open for days: they look for a new version when they come to the front, once an hour at most. */
function checkForUpdates(registration: ServiceWorkerRegistration): void {
  let checked_at = performance.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || performance.now() - checked_at < UPDATE_CHECK_EVERY_MS) return;
    checked_at = performance.now();
    registration.update().catch(() => {}); // Without network there is nothing new.
  });
}

/** Lets the waiting version take over and loads the page anew with it. */
export function applyUpdate(waiting: ServiceWorker): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  waiting.postMessage({ type: 'SKIP_WAITING' });
}
