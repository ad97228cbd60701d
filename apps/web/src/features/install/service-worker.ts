import { waitForRetryOpportunity } from '#web/shared/device/wait-for-retry-opportunity.ts';
import { backOffMs, withJitter } from '#web/shared/lib/back-off.ts';
import { NO_ROOM } from '#web/shared/local-db/no-room.ts';
import { storageState } from '#web/shared/local-db/storage-state.ts';
import { stopBackgroundSync } from '#web/shared/outbox/send/background-sync.ts';

const UPDATE_CHECK_EVERY_MS = 3_600_000;

/** The second try succeeds fast, as the files fetched by the first are kept. */
const BACK_OFF = { first_ms: 5_000, max_ms: 900_000 };

type Listener = (waiting: ServiceWorker) => void;

/**
 * Registers /sw.js, retrying until it is installed, and calls `onUpdate` when a new version waits while an old one is
 * active; never at the first install. Without worker support, or on an insecure origin, the app has no offline start.
 */
export async function registerServiceWorker(onUpdate: Listener): Promise<void> {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  navigator.serviceWorker.addEventListener('message', ({ data }) => {
    if (data?.type === NO_ROOM) storageState.reportFull(data.is_first ? 'app' : 'copies');
  });
  for (let failures = 1; !(await install(onUpdate)); failures++) {
    await waitForRetryOpportunity(withJitter(backOffMs(BACK_OFF, failures), Math.random()));
  }
  await claimPage();
}

/** Returns false if the registration or the fetch of a file failed: the browser has then dropped the registration. */
async function install(onUpdate: Listener): Promise<boolean> {
  try {
    const registration = await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
    const notifyIfWaiting = () => {
      if (registration.waiting && registration.active) onUpdate(registration.waiting);
    };
    const watchInstalling = () => registration.installing?.addEventListener('statechange', notifyIfWaiting);
    notifyIfWaiting();
    // The browser may have found the version before this page could listen.
    watchInstalling();
    registration.addEventListener('updatefound', watchInstalling);
    if (!registration.active && !(await waitUntilInstalled(registration))) return false;
    checkForUpdates(registration);
    return true;
  } catch (error) {
    console.warn('service worker', error);
    return false;
  }
}

function waitUntilInstalled({ installing, waiting }: ServiceWorkerRegistration): Promise<boolean> {
  const worker = installing ?? waiting;
  return new Promise((resolve) => {
    const checkState = () => {
      if (worker?.state !== 'installing') resolve(worker !== null && worker.state !== 'redundant');
    };
    worker?.addEventListener('statechange', checkState);
    checkState();
  });
}

/**
 * Makes an active worker control this page. A page opened during the install would otherwise need the network for each
 * screen.
 */
async function claimPage(): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller) active?.postMessage({ type: 'CLAIM' });
}

/** Installed apps stay open for days: check for a new version when the app comes to the front, at most once an hour. */
function checkForUpdates(registration: ServiceWorkerRegistration): void {
  let checked_at = performance.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || performance.now() - checked_at < UPDATE_CHECK_EVERY_MS) return;
    checked_at = performance.now();
    registration.update().catch(() => {}); // Offline there is no new version to find.
  });
}

/** Returns the version that a worker of this app brings. */
export function readVersion(worker: ServiceWorker): Promise<string> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => {
      port1.close();
      resolve(data);
    };
    worker.postMessage({ type: 'GET_VERSION' }, [port2]);
  });
}

/**
 * Activates the waiting version and reloads the page; reloads at once if another tab has activated it already. The
 * returned function cancels the reload: the page then keeps its version, whichever becomes active.
 */
export function applyUpdate(waiting: ServiceWorker): () => void {
  const reloadIfActivated = () => {
    // A redundant version was replaced by a newer one and never activates; the reload picks up the newer one.
    if (waiting.state === 'activated' || waiting.state === 'redundant') location.reload();
  };
  waiting.addEventListener('statechange', reloadIfActivated);
  reloadIfActivated();
  if (waiting.state === 'installed') {
    stopBackgroundSync(navigator.serviceWorker.controller);
    waiting.postMessage({ type: 'SKIP_WAITING' });
  }
  return () => waiting.removeEventListener('statechange', reloadIfActivated);
}
