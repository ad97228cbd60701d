import type { Message } from '@sendlap/contract/chats.ts';
import type { MessageStore } from '../store/message-store.ts';
import type { QueuedMessage } from '../store/queued-message.ts';
import { createPause, type DrainChatDeps, drainChat, listWaitingChats } from './drain-chat.ts';
import { createRunner, type Runner, type RunnerDeps } from './runner.ts';

export interface MessageSenderDeps
  extends Pick<RunnerDeps, 'schedule' | 'isOnline' | 'onStorageError' | 'visit'>,
    Pick<DrainChatDeps, 'random' | 'readEpoch'> {
  store: MessageStore;
  /** Throws ApiError, what `beforeSend` throws, or the signal's reason. */
  sendMessage: (message: QueuedMessage, beforeSend: () => Promise<void>, signal?: AbortSignal) => Promise<Message>;
  /** As `RunnerDeps.lock`, for this chat. */
  lockChat: <Value>(chat_id: string, work: () => Promise<Value>, signal: AbortSignal) => Promise<Value>;
  /** See `RunnerDeps`. */
  confirmedUserId: () => string | null;
  /** Milliseconds of a monotonic clock. */
  monotonicNow: () => number;
  onSent: DrainChatDeps['onSent'];
  /** A message could not be sent. */
  onFailed: () => void;
  /** Sends the ops, then the messages of all chats. */
  flushAll: () => Promise<boolean>;
}

/** Sends the queued messages: one runner per chat, so that no chat waits for another. */
export function createMessageSender(deps: MessageSenderDeps) {
  const { store } = deps;
  const runners = new Map<string, Runner>();
  const drainDeps = { ...deps, ...createPause(deps.monotonicNow) };

  function makeRunner(chat_id: string): Runner {
    return createRunner({
      // A chat that is tried again must not overtake an activity.
      schedule: (delay_ms) => deps.schedule(delay_ms, () => void deps.flushAll()),
      isOnline: deps.isOnline,
      onStorageError: deps.onStorageError,
      userId: deps.confirmedUserId,
      visit: deps.visit,
      lock: (work, signal) => deps.lockChat(chat_id, work, signal),
      drain(user_id, onBegin, signal) {
        const sendMessage: DrainChatDeps['sendMessage'] = (...args) => deps.sendMessage(...args, signal);
        return drainChat({ ...drainDeps, onBegin, sendMessage }, user_id, chat_id);
      },
      isEmpty: async (user_id) => !(await listWaitingChats(store, user_id)).includes(chat_id),
      // Each message on the screen shows a successful sending itself.
      onStatus: (status) => status === 'error' && deps.onFailed(),
    });
  }

  function flushChat(chat_id: string): Promise<boolean> {
    const runner = runners.get(chat_id) ?? makeRunner(chat_id);
    runners.set(chat_id, runner);
    return runner.flush();
  }

  return {
    flushChat,

    /** Sends the queued messages of all chats. Resolves to false if one could not be sent. */
    async flush(): Promise<boolean> {
      const user_id = deps.confirmedUserId();
      if (user_id === null) return false;
      try {
        const chats = await listWaitingChats(store, user_id);
        return (await Promise.all(chats.map(flushChat))).every(Boolean);
      } catch (error) {
        deps.onStorageError(error);
        return false;
      }
    },
  };
}
