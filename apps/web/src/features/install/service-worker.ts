import { waitForHope } from '#web/shared/device/wait-for-hope.ts';
import { NO_ROOM } from '#web/shared/local-db/no-room.ts';
import { storageState } from '#web/shared/local-db/storage-state.ts';
import { stopBackgroundSync } from '#web/shared/outbox/send/background-sync.ts';

const UPDATE_CHECK_EVERY_MS = 3_600_000;

/** Nearly all of the app is there by the second try: what was fetched stays. */
const FIRST_RETRY_MS = 5_000;
const LAST_RETRY_MS = 900_000;

type Listener = (waiting: ServiceWorker) => void;

/**
 * Registers /sw.js, again and again until it is installed, and tells `onUpdate` about a new version that waits while an
 * old one is there; never at the first install. Browsers without workers, and insecure addresses, simply have no offline
 * start.
 */
export async function registerServiceWorker(onUpdate: Listener): Promise<void> {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  navigator.serviceWorker.addEventListener('message', ({ data }) => {
    if (data?.type === NO_ROOM) storageState.noteFull(data.is_first ? 'app' : 'copies');
  });
  let delay_ms = FIRST_RETRY_MS;
  while (!(await install(onUpdate))) {
    // Half of it by chance: after a server was away not all come back at once.
    await waitForHope(delay_ms * (0.5 + Math.random() / 2));
    delay_ms = Math.min(2 * delay_ms, LAST_RETRY_MS);
  }
  await comeUnderWorker();
}

/** False when it cannot be registered or one of its files did not come: the browser has forgotten it then. */
async function install(onUpdate: Listener): Promise<boolean> {
  try {
    const registration = await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
    const report = () => {
      if (registration.waiting && registration.active) onUpdate(registration.waiting);
    };
    report();
    registration.addEventListener('updatefound', () => {
      registration.installing?.addEventListener('statechange', report);
    });
    if (!registration.active && !(await isInstalled(registration))) return false;
    checkForUpdates(registration);
    return true;
  } catch (error) {
    console.warn('service worker', error);
    return false;
  }
}

function isInstalled({ installing, waiting }: ServiceWorkerRegistration): Promise<boolean> {
  const worker = installing ?? waiting;
  return new Promise((resolve) => {
    const look = () => {
      if (worker?.state !== 'installing') resolve(worker !== null && worker.state !== 'redundant');
    };
    worker?.addEventListener('statechange', look);
    look();
  });
}

/** The worker takes over what is there; a page that was on its way just then would need a network for each screen. */
async function comeUnderWorker(): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller) active?.postMessage({ type: 'CLAIM' });
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

/**
 * Lets the waiting version take over and loads the page anew with it; at once where another tab has let it already. Ends
 * when the returned function is called: the page stays as it is then, whichever version takes over.
 */
export function applyUpdate(waiting: ServiceWorker): () => void {
  const look = () => {
    // One that a newer version has pushed out will never take over; the page finds the newer one.
    if (waiting.state === 'activated' || waiting.state === 'redundant') location.reload();
  };
  waiting.addEventListener('statechange', look);
  look();
  if (waiting.state === 'installed') {
    stopBackgroundSync(navigator.serviceWorker.controller);
    waiting.postMessage({ type: 'SKIP_WAITING' });
  }
  return () => waiting.removeEventListener('statechange', look);
}
