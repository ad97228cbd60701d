import type { ClockMeasurement } from '@sendlap/domain/recording/clock-correction.ts';
import { loadAuthEndpoints } from '#web/shared/api/auth-endpoints.ts';
import { call, request, serverClock, serverEpoch, session } from '#web/shared/api/client.ts';
import { createOutbox } from './outbox.ts';
import { requestBackgroundSync, watchBackgroundSync } from './send/background-sync.ts';
import { watchLeaving } from './send/leaving.ts';
import { createOutboxCalls } from './send/outbox-calls.ts';
import { watchSendTriggers } from './send/send-triggers.ts';
import { createOutboxStore } from './store/store.ts';
import { ensureBallast } from './store/write-with-eviction.ts';
import { lockChat, lockOutbox, openOutbox, openOutboxChannel } from './tabs.ts';

export const freeSpace = async () => (await import('../local-db/try-write.ts')).freeSpace();
export const outboxChannel = openOutboxChannel();

/** Returns the id of the signed-in user; null without one, and while the session is being checked. */
export function confirmedUserId(): string | null {
  const { user, checking_auth } = session.getState();
  return checking_auth ? null : (user?.id ?? null);
}

/** The outbox of this browser: its wiring; all modules behind it take their dependencies as arguments. */
export const outbox = createOutbox({
  makeStore: (onChange) =>
    createOutboxStore({
      open: openOutbox,
      onChange,
      now: () => Date.now(),
      newId: () => crypto.randomUUID(),
      clockNote: serverClock.clockNote,
      freeSpace,
    }),
  channel: outboxChannel,
  lock: lockOutbox,
  lockChat,
  visit: watchLeaving(globalThis.window),
  ...createOutboxCalls(call),
  monotonicNow: () => performance.now(),
  now: () => Date.now(),
  random: () => Math.random(),
  isOnline: () => navigator.onLine,
  measureClock,
  shownUserId: () => session.getState().user?.id ?? null,
  confirmedUserId,
  scheduleBackgroundSync: () => {
    if ('serviceWorker' in navigator) void requestBackgroundSync(navigator.serviceWorker);
  },
  schedule,
});

/** Any reply measures the clock; this one is the smallest. */
async function measureClock(): Promise<ClockMeasurement | null> {
  if (serverClock.measurement() === null) await request((await loadAuthEndpoints()).getAuthConfig, {}, {});
  return serverClock.measurement();
}

export function schedule(delay_ms: number, run: () => void): () => void {
  const timer = setTimeout(run, delay_ms);
  return () => clearTimeout(timer);
}

let started = false;

/** Watches for reasons to send. Runs once per page life; the signed-in layout calls it. */
export function startOutbox(): void {
  if (started) return;
  started = true;
  const flush = () => void outbox.flush();
  session.subscribe(outbox.handleUserChange);
  serverEpoch.subscribe((epoch) => void outbox.saveEpoch(epoch).catch(() => {}));
  outbox.handleUserChange();
  watchSendTriggers({ page: window, document, schedule }, flush);
  if ('serviceWorker' in navigator) watchBackgroundSync(navigator.serviceWorker, outbox.showWorkerStatus);
  ensureBallast(openOutbox).catch(() => {});
}
