import type { Message } from '@sendlap/contract/chats.ts';
import { ApiError, isServerRefusal } from '#web/shared/api/errors.ts';
import type { MessageStore } from '../store/message-store.ts';
import type { QueuedMessage } from '../store/queued-message.ts';
import { type DrainResult, sendBackOffMs } from './drain.ts';
import { type EpochDeps, RequeuedError, watchRequeues } from './watch-requeues.ts';

/** Maximum Retry-After that is respected: one wrong header must not hold messages for hours. */
const MAX_PAUSE_MS = 300_000;

export interface DrainChatDeps extends EpochDeps {
  store: Pick<MessageStore, 'listMessages' | 'confirmSent' | 'recordFailure' | 'markRefused'>;
  /** Throws ApiError, or what `beforeSend` throws. */
  sendMessage: (message: QueuedMessage, beforeSend: () => Promise<void>) => Promise<Message>;
  /** 0 ≤ x < 1 */
  random: () => number;
  /** Called before the first message is sent. */
  onBegin: () => void;
  /** The server has accepted the message; its row exists until this resolves. If it rejects, the message is sent again later. */
  onSent: (message: Message, client_id: string) => Promise<void>;
  /** The server asked all chats to pause for this long, ms. */
  pause: (wait_ms: number) => void;
  /** Remaining time of the pause, ms. */
  remainingPauseMs: () => number;
}

/**
 * Sends the messages that `user_id` wrote in one chat, in order, until all are sent or one fails; later messages wait
 * for a waiting one. A message that is refused for good stays visible, and the next one is sent. A row is deleted only
 * after the server's answer; after a crash in between the message is sent again with the same id, and stored once.
 */
export async function drainChat(deps: DrainChatDeps, user_id: string, chat_id: string): Promise<DrainResult> {
  const { store, sendMessage, onSent } = deps;
  for (let sent = 0; ; ) {
    const assertNotRequeued = await watchRequeues(deps);
    const messages = await store.listMessages(user_id);
    const next = messages.find((message) => message.chat_id === chat_id && message.refused === null);
    if (!next) return { outcome: 'done', sent, wait_ms: null };
    const pause_ms = deps.remainingPauseMs();
    if (pause_ms > 0) return { outcome: 'failed', sent, wait_ms: pause_ms };
    if (sent === 0) deps.onBegin();
    let message: Message;
    try {
      message = await sendMessage(next, assertNotRequeued);
      await assertNotRequeued();
    } catch (error) {
      if (error instanceof RequeuedError) continue;
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401 || error.status === 403) return { outcome: 'signed_out', sent };
      if (!isFinal(error)) return { outcome: 'failed', sent, wait_ms: await recordFailure(deps, next, error) };
      await store.markRefused(next.client_id, { code: error.backend_error ?? error.code, message: error.message });
      continue;
    }
    try {
      await onSent(message, next.client_id);
    } catch (error) {
      return { outcome: 'failed', sent, wait_ms: await recordFailure(deps, next, error) };
    }
    await store.confirmSent(next.client_id, message.seq);
    sent += 1;
  }
}

/** The pause that the server asks all chats for. `monotonicNow`: milliseconds of a monotonic clock. */
export function createPause(monotonicNow: () => number): Pick<DrainChatDeps, 'pause' | 'remainingPauseMs'> {
  let until_ms = Number.NEGATIVE_INFINITY;
  return {
    pause(wait_ms) {
      until_ms = monotonicNow() + wait_ms;
    },
    remainingPauseMs: () => Math.max(0, until_ms - monotonicNow()),
  };
}

/** Returns the chats in which a message of this user waits. */
export async function listWaitingChats(store: Pick<MessageStore, 'listMessages'>, user_id: string): Promise<string[]> {
  const waiting = (await store.listMessages(user_id)).filter(({ refused }) => refused === null);
  return [...new Set(waiting.map(({ chat_id }) => chat_id))];
}

/** Returns true for a refusal that no retry changes. A proxy's own 404 is not one. */
function isFinal(error: ApiError): boolean {
  if (!isServerRefusal(error)) return false;
  return error.status !== 404 || error.backend_error === 'chat_not_found';
}

/** Returns when to retry, ms. */
async function recordFailure(deps: DrainChatDeps, { client_id, attempts }: QueuedMessage, reason: unknown) {
  const error = reason instanceof ApiError ? reason : new ApiError({ code: 'UNKNOWN_ERROR', status: 0, cause: reason });
  await deps.store.recordFailure(client_id, error.code === 'HTTP_ERROR' ? error.message : error.code);
  const retry_after_ms = Math.min(MAX_PAUSE_MS, error.retry_after_s * 1000);
  if (error.status === 429) deps.pause(retry_after_ms);
  return Math.max(retry_after_ms, sendBackOffMs(attempts + 1, deps.random()));
}
