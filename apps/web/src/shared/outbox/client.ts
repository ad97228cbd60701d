import { syncActivities } from '@sendlap/contract/activities.ts';
import { sendMessage } from '@sendlap/contract/chats.ts';
import { completeMessageReply } from '#web/shared/api/chat-reply.ts';
import { call, serverClock, session } from '#web/shared/api/client.ts';
import { createOutbox, type OutboxChannel, type OutboxMessage } from './outbox.ts';
import { handleBackgroundSync, requestBackgroundSync } from './send/background-sync.ts';
import { watchSendTriggers } from './send/send-triggers.ts';
import { OUTBOX_NAME, type OutboxDatabase, openOutboxDatabase } from './store/database.ts';
import { createOutboxStore } from './store/store.ts';
import { ensureBallast } from './store/write-with-eviction.ts';

const LOCK = 'sendlap-outbox';
const CHANNEL = 'sendlap-outbox';

let opened: Promise<OutboxDatabase> | null = null;

export function openOutbox(): Promise<OutboxDatabase> {
  opened ??= openOutboxDatabase(OUTBOX_NAME, resetConnection).catch((error: unknown) => {
    resetConnection();
    throw error;
  });
  return opened;
}

function resetConnection(): void {
  opened = null;
}

export const freeSpace = async () => (await import('../local-db/try-write.ts')).freeSpace();
export const outboxChannel = createChannel();

/** Returns the signed-in user, null while the session is being checked. */
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
      isClockKnown: () => clockOffset() !== null,
      freeSpace,
    }),
  channel: outboxChannel,
  // Without locks (an old browser) two tabs may send the same op: the server applies it once.
  lock: (work) => (navigator.locks ? navigator.locks.request(LOCK, work) : work()) as ReturnType<typeof work>,
  send: async (user_id, ops) => (await call(syncActivities, { body: { ops } }, { expected_user_id: user_id })).results,
  sendMessage: ({ chat_id, client_id, text, user_id }) =>
    call(
      sendMessage,
      { params: { chat_id }, body: { message: text, client_id } },
      { expected_user_id: user_id, normalizeReply: completeMessageReply({ chat_id }) },
    ),
  lockChat: (chat_id, work) =>
    (navigator.locks ? navigator.locks.request(`${LOCK} ${chat_id}`, work) : work()) as ReturnType<typeof work>,
  monotonicNow: () => performance.now(),
  now: () => Date.now(),
  random: () => Math.random(),
  isOnline: () => navigator.onLine,
  clockOffset,
  shownUserId: () => session.getState().user?.id ?? null,
  confirmedUserId,
  scheduleBackgroundSync: () => {
    if ('serviceWorker' in navigator) void requestBackgroundSync(navigator.serviceWorker);
  },
  schedule,
});

function clockOffset(): number | null {
  const { offset_ms, age_ms } = serverClock.clockReading();
  return age_ms === null ? null : offset_ms;
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
  outbox.handleUserChange();
  watchSendTriggers({ page: window, document, schedule }, flush);
  if ('serviceWorker' in navigator) handleBackgroundSync(navigator.serviceWorker, outbox.flush);
  ensureBallast(openOutbox).catch(() => {});
}

function createChannel(): OutboxChannel {
  if (typeof BroadcastChannel === 'undefined') return { post: () => {}, listen: () => {} };
  const channel = new BroadcastChannel(CHANNEL);
  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) => {
      channel.addEventListener('message', ({ data }: MessageEvent<OutboxMessage>) => listener(data));
    },
  };
}
