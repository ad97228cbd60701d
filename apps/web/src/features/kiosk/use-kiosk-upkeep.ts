import { useEffect } from 'react';
import { serverClock } from '#web/shared/api/client.ts';
import { dateFormat } from '#web/shared/i18n/formats.ts';
import { kiosk } from './kiosk-client.ts';
import { shouldReload } from './reload-plan.ts';

const REFRESH_INTERVAL_MS = 60_000;
const UPDATE_CHECK_INTERVAL_MS = 3_600_000;

/** The app's service worker as the kiosk needs it; passed in by the app. */
export interface KioskServiceWorker {
  /** Registers the worker; `onUpdate` is called for each new version that waits. */
  register(onUpdate: (waiting: ServiceWorker) => void): Promise<void>;
  /** Activates the waiting version and reloads the page with it. */
  apply(waiting: ServiceWorker): void;
}

/**
 * Refreshes a paired kiosk every minute, when it becomes visible and when the network returns: the board, and the keys
 * once an hour.
 */
export function useKioskRefresh(is_paired: boolean): void {
  useEffect(() => {
    const refresh = () => void kiosk.refresh();
    if (is_paired) refresh();
    const timer = setInterval(refresh, REFRESH_INTERVAL_MS);
    addEventListener('online', refresh);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      clearInterval(timer);
      removeEventListener('online', refresh);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, [is_paired]);
}

/** Reloads the page at night and for new versions without asking; returns a function that stops this. */
export function startAutoReload(worker: KioskServiceWorker): () => void {
  const opened_at = performance.now();
  let touched_at = opened_at;
  let changed_at = opened_at;
  let checked_at = opened_at;
  let board = boardFingerprint();
  let update: { waiting: ServiceWorker; since: number } | null = null;
  worker
    .register((waiting) => {
      update = { waiting, since: update?.since ?? performance.now() };
    })
    .catch((error: unknown) => console.warn('service worker', error));

  const touch = () => {
    touched_at = performance.now();
  };
  const timer = setInterval(() => {
    const now = performance.now();
    if (boardFingerprint() !== board) {
      board = boardFingerprint();
      changed_at = now;
    }
    if (now - checked_at >= UPDATE_CHECK_INTERVAL_MS) {
      checked_at = now;
      checkForUpdate();
    }
    const due = shouldReload({
      page_age_ms: now - opened_at,
      untouched_ms: now - touched_at,
      board_unchanged_ms: now - changed_at,
      update_waiting_ms: update && now - update.since,
      hour: hourAtCenter(),
    });
    if (due && update) worker.apply(update.waiting);
    else if (due && canReload()) location.reload();
  }, REFRESH_INTERVAL_MS);
  addEventListener('pointerdown', touch);
  addEventListener('keydown', touch);
  return () => {
    clearInterval(timer);
    removeEventListener('pointerdown', touch);
    removeEventListener('keydown', touch);
  };
}

/** The rows as text: a new response comes every minute, but the rows rarely change. */
function boardFingerprint(): string {
  const state = kiosk.getState();
  return state.kind === 'paired' ? JSON.stringify(state.board?.board.items) : '';
}

/** Without a service worker, reloading while offline would show the browser's error page. */
function canReload(): boolean {
  const state = kiosk.getState();
  if (navigator.serviceWorker?.controller) return true;
  return navigator.onLine && (state.kind !== 'paired' || state.is_reached);
}

function checkForUpdate(): void {
  navigator.serviceWorker
    ?.getRegistration()
    .then((registration) => registration?.update())
    .catch(() => {}); // Offline, there is no new version.
}

function hourAtCenter(): number {
  const state = kiosk.getState();
  const zone = state.kind === 'paired' ? { timeZone: state.pairing.center.time_zone } : {};
  const format = dateFormat('en', { hour: 'numeric', hourCycle: 'h23', ...zone });
  return Number(format.format(serverClock.correctedNow()));
}
