import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import { ApiError } from '#web/shared/api/errors.ts';
import type { MessageStore } from '../store/message-store.ts';
import type { SendStore } from '../store/send-store.ts';
import type { SendOutcome } from './background-sync.ts';
import { type DrainDeps, type DrainResult, drain } from './drain.ts';
import { createPause, type DrainChatDeps, drainChat, listWaitingChats } from './drain-chat.ts';

/** An open page sends an op at the end of its undo time; it gets this head start. */
const PAGE_HEAD_START_MS = 1_000;
/** No screen holds an op for longer. */
const MAX_HELD_MS = 30_000;

export interface UnattendedDeps
  extends Pick<DrainDeps, 'now' | 'measureClock' | 'random' | 'onResults'>,
    Pick<DrainChatDeps, 'sendMessage' | 'readEpoch'> {
  store: DrainDeps['store'] & Pick<SendStore, 'readQueue'> & { messages: MessageStore };
  /** The locks that the pages send under. */
  lock: <Value>(work: () => Promise<Value>) => Promise<Value>;
  lockChat: <Value>(chat_id: string, work: () => Promise<Value>) => Promise<Value>;
  /** Refreshes the session and returns its user; null: signed out. Throws ApiError. */
  openSession: () => Promise<string | null>;
  /** POST /v1/activities/sync as this user; throws ApiError. */
  send: (user_id: string, ops: Op[], beforeSend: () => Promise<void>) => Promise<OpResult[]>;
  /** Milliseconds of a monotonic clock. */
  monotonicNow: () => number;
  wait: (delay_ms: number) => Promise<void>;
}

/**
 * Sends the outbox without a page: first the ops, then the messages of each chat. Only rows of the session's user are
 * sent; others wait for their own. Without a row that waits, nothing is requested. `onBegin` is called before the first
 * request. Throws the error of a failed database.
 */
export async function sendUnattended(deps: UnattendedDeps, onBegin: () => void): Promise<SendOutcome> {
  await waitForPages(deps);
  const { op_count, chat_ids } = await deps.store.readQueue();
  if (op_count + chat_ids.length === 0) return 'done';
  onBegin();
  try {
    const user_id = await deps.openSession();
    if (user_id === null) return 'signed_out';
    const ops_outcome = await sendOps(deps, user_id);
    // One refused call does not end a session; if it did, the next attempt finds none.
    if (ops_outcome === 'signed_out') return 'failed';
    const messages_outcome = await sendMessages(deps, user_id);
    return ops_outcome === 'done' && messages_outcome === 'done' ? 'done' : 'failed';
  } catch (error) {
    if (error instanceof ApiError) return 'failed';
    throw error;
  }
}

/** Lets open pages finish: the browser also fires `sync` while they send. */
async function waitForPages({ store, lock, lockChat, wait }: UnattendedDeps): Promise<void> {
  const { held_ms, chat_ids } = await store.readQueue();
  if (held_ms > 0) await wait(Math.min(held_ms, MAX_HELD_MS) + PAGE_HEAD_START_MS);
  await Promise.all([lock(async () => {}), ...chat_ids.map((chat_id) => lockChat(chat_id, async () => {}))]);
}

async function sendOps(deps: UnattendedDeps, user_id: string): Promise<DrainResult['outcome']> {
  const send: DrainDeps['send'] = (ops, beforeSend) => deps.send(user_id, ops, beforeSend);
  return (await deps.lock(() => drain({ ...deps, send, onBegin: () => {} }, user_id))).outcome;
}

async function sendMessages(deps: UnattendedDeps, user_id: string): Promise<DrainResult['outcome']> {
  const { store, monotonicNow } = deps;
  let outcome: DrainResult['outcome'] = 'done';
  const drainDeps: DrainChatDeps = {
    ...deps,
    ...createPause(monotonicNow),
    // A page stores the message in its thread and deletes the row.
    store: { ...store.messages, confirmSent: async () => {} },
    onSent: (message, client_id) => store.messages.markAccepted(client_id, message),
    onBegin: () => {},
  };
  for (const chat_id of await listWaitingChats(store.messages, user_id)) {
    const result = await deps.lockChat(chat_id, () => drainChat(drainDeps, user_id, chat_id));
    if (result.outcome === 'signed_out') return 'signed_out';
    if (result.outcome === 'failed') outcome = 'failed';
  }
  return outcome;
}
