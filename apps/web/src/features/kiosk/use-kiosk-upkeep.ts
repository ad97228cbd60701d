import { useEffect } from 'react';
import { serverClock } from '#web/shared/api/client.ts';
import { kiosk } from './kiosk-client.ts';
import { isReloadDue } from './reload-plan.ts';

const REFRESH_EVERY_MS = 60_000;
const LOOK_FOR_VERSION_EVERY_MS = 3_600_000;

/** The app's worker, as the kiosk needs it; wired where features meet. */
export interface KioskWorker {
  /** Registers it and tells of each new version that waits. */
  register(onUpdate: (waiting: ServiceWorker) => void): Promise<void>;
  /** Lets the waiting version take over and loads the page anew with it. */
  apply(waiting: ServiceWorker): void;
}

/** Keeps a kiosk fresh, from the moment when it is one: board and keys every minute and when the network is back. */
export function useRefreshing(is_paired: boolean): void {
  useEffect(() => {
    const refresh = () => void kiosk.refresh();
    if (is_paired) refresh();
    const timer = setInterval(refresh, REFRESH_EVERY_MS);
    addEventListener('online', refresh);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      clearInterval(timer);
      removeEventListener('online', refresh);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, [is_paired]);
}

/** Loads the page anew by night and with new versions, without asking anybody; returns what stops that. */
export function watchReload(worker: KioskWorker): () => void {
  const opened_at = performance.now();
  let touched_at = opened_at;
  let moved_at = opened_at;
  let looked_at = opened_at;
  let board = shownBoard();
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
    if (shownBoard() !== board) {
      board = shownBoard();
      moved_at = now;
    }
    if (now - looked_at >= LOOK_FOR_VERSION_EVERY_MS) {
      looked_at = now;
      lookForVersion();
    }
    const due = isReloadDue({
      page_age_ms: now - opened_at,
      untouched_ms: now - touched_at,
      unmoved_ms: now - moved_at,
      update_waits_ms: update && now - update.since,
      hour: hourAtCenter(),
    });
    if (due && update) worker.apply(update.waiting);
    else if (due && mayReload()) location.reload();
  }, REFRESH_EVERY_MS);
  addEventListener('pointerdown', touch);
  addEventListener('keydown', touch);
  return () => {
    clearInterval(timer);
    removeEventListener('pointerdown', touch);
    removeEventListener('keydown', touch);
  };
}

/** The rows as text: each minute brings a new answer, but hardly ever a new board. */
function shownBoard(): string {
  const state = kiosk.getState();
  return state.kind === 'paired' ? JSON.stringify(state.board?.board.items) : '';
}

/** Without a worker that answers for the server a reload without network would end in the browser's error page. */
function mayReload(): boolean {
  const state = kiosk.getState();
  if (navigator.serviceWorker?.controller) return true;
  return navigator.onLine && (state.kind !== 'paired' || state.is_reached);
}

function lookForVersion(): void {
  navigator.serviceWorker
    ?.getRegistration()
    .then((registration) => registration?.update())
    .catch(() => {}); // Without network there is nothing new.
}

function hourAtCenter(): number {
  const state = kiosk.getState();
  const zone = state.kind === 'paired' ? { timeZone: state.pairing.center.time_zone } : {};
  const format = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', ...zone });
  return Number(format.format(serverClock.correctedNow()));
}
