import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import type { Message } from '@sendlap/contract/chats.ts';
import { drain } from './send/drain.ts';
import { createMessageOutbox, type MessageOutbox } from './send/message-outbox.ts';
import type { MessageSenderDeps } from './send/message-sender.ts';
import { createRunner, RETRY_WHILE_PENDING_MS, type Runner } from './send/runner.ts';
import { createSyncStatus, type SyncStatus, type Timers } from './send/sync-status.ts';
import { createSnapshot, type OutboxSnapshot } from './snapshot.ts';
import type { SaveOptions } from './store/save-op.ts';
import type { OutboxStore } from './store/store.ts';

/** Outbox messages between the tabs of a browser. */
export type OutboxMessage =
  | { type: 'changed' }
  | { type: 'status'; status: SyncStatus }
  | { type: 'results'; results: OpResult[] }
  | { type: 'message_sent'; message: Message };

export interface OutboxChannel {
  post: (message: OutboxMessage) => void;
  listen: (listener: (message: OutboxMessage) => void) => void;
}

export interface OutboxDeps extends Timers, Pick<MessageSenderDeps, 'sendMessage' | 'lockChat' | 'monotonicNow'> {
  makeStore: (onChange: () => void) => OutboxStore;
  channel: OutboxChannel;
  lock: <Value>(work: () => Promise<Value>) => Promise<Value>;
  send: (user_id: string, ops: Op[]) => Promise<OpResult[]>;
  now: () => number;
  random: () => number;
  isOnline: () => boolean;
  /** Server time minus device time, ms; null: never measured. */
  clockOffset: () => number | null;
  /** The signed-in user, as far as this device knows (for display), and as confirmed by the server (for sending). */
  shownUser: () => string | null;
  confirmedUser: () => string | null;
  /** Asks the browser to wake the service worker when there is a network. */
  requestWakeUp: () => void;
}

/** The outbox as the app sees it. All shown data is read from the rows, also after another tab changed them. */
export interface Outbox extends MessageOutbox {
  /** Resolves when the op is on disk, then sends it when possible. Rejects with OutboxError: not saved. */
  saveOp(user_id: string, op: Op, options?: SaveOptions): Promise<void>;
  /** Undoes an op that was saved with `hold_ms`. Returns false if its time is over. */
  undoOp(op_id: string): Promise<boolean>;
  /** Undoes a finish that was saved with `undo_ms`. Returns false if its time is over. */
  reopen: OutboxStore['reopen'];
  /** The user's finishes can no longer be undone. */
  keepFinishes: OutboxStore['keepFinishes'];
  /** Saves lengths and intensity of a running activity. */
  saveDraft: OutboxStore['saveDraft'];
  retryDead: OutboxStore['retryDead'];
  discardDead(user_id: string, client_id: string): Promise<void>;
  discardAll(user_id: string): Promise<void>;
  forgetSent: OutboxStore['forgetSent'];
  /** The server has decided a scan that waited there: deletes its note, and keeps a refusal visible. */
  noteScanDecided: OutboxStore['noteScanDecided'];
  /** Asks again for the outcome of scans that wait on the server, because its news may have been missed. */
  askWaiting(user_id: string): Promise<void>;
  /** Saves the server's state of activities that are stored here. */
  noteServer: OutboxStore['noteServer'];
  listSynced: OutboxStore['listSynced'];
  listOps: OutboxStore['listOps'];
  keptCount: OutboxStore['keptCount'];
  /** Sends the waiting ops and messages now. Resolves to false if one could not be sent. */
  kick(): Promise<boolean>;
  subscribe(listener: () => void): () => void;
  getSnapshot(): OutboxSnapshot;
  /** Calls back with the server's answers to ops of this device, in every tab. */
  onResults(listener: (results: OpResult[]) => void): () => void;
  /** Call after the session has changed. */
  userChanged(): void;
}

export function createOutbox(deps: OutboxDeps): Outbox {
  const { channel, requestWakeUp } = deps;
  const resultListeners = new Set<(results: OpResult[]) => void>();
  const snapshot = createSnapshot((user_id) => store.listRows(user_id), deps.shownUser);
  const store = deps.makeStore(() => {
    void snapshot.refresh();
    channel.post({ type: 'changed' });
  });
  const status = createSyncStatus(deps, () => snapshot.show({ status: status.get() }));
  const tellStatus = (next: SyncStatus) => {
    status.set(next);
    channel.post({ type: 'status', status: next });
  };
  const tellResults = (results: OpResult[]) => {
    for (const listener of resultListeners) listener(results);
  };
  const onBroken = (error: unknown) => snapshot.show({ broken: error });
  const runner = connectRunner(deps, store, {
    onStatus: tellStatus,
    onBroken,
    onResults(results) {
      tellResults(results);
      channel.post({ type: 'results', results });
    },
  });
  const { noteSent, kickMessages, ...messages } = createMessageOutbox({
    ...deps,
    store: store.messages,
    refresh: snapshot.refresh,
    onBroken,
    onFailed: () => tellStatus('error'),
    onSent: (message) => channel.post({ type: 'message_sent', message }),
  });
  const kick = async () => (await Promise.all([runner.kick(), kickMessages()])).every(Boolean);

  let cancelLook = () => {};
  function noteChange(): void {
    void snapshot.refresh();
    // The tab that saved the op may be closed before it could send it.
    cancelLook();
    cancelLook = deps.after(RETRY_WHILE_PENDING_MS, () => void kick());
  }

  channel.listen((message) => {
    if (message.type === 'changed') noteChange();
    else if (message.type === 'status') status.set(message.status);
    else if (message.type === 'message_sent') noteSent(message.message);
    else tellResults(message.results);
  });

  const thenSend = () => {
    void runner.kick();
    requestWakeUp();
  };

  return {
    ...stepsOf(store, snapshot.refresh, thenSend),
    ...messages,
    kick,
    subscribe: snapshot.subscribe,
    getSnapshot: snapshot.get,
    onResults(listener) {
      resultListeners.add(listener);
      return () => resultListeners.delete(listener);
    },
    userChanged() {
      void snapshot.refresh();
      void kick();
    },
  };
}

/** Methods that only write or read, and that trigger sending after an op was queued. */
function stepsOf(store: OutboxStore, refresh: () => Promise<void>, thenSend: () => void) {
  return {
    async saveOp(user_id, op, options) {
      await store.saveOp(user_id, op, options);
      // The next screen renders from the snapshot, which must contain the op by then.
      await refresh();
      thenSend();
    },
    undoOp: store.undoOp,
    async reopen(...step) {
      const is_reopened = await store.reopen(...step);
      await refresh();
      if (is_reopened) thenSend();
      return is_reopened;
    },
    keepFinishes: store.keepFinishes,
    async saveDraft(...draft) {
      await store.saveDraft(...draft);
      await refresh();
    },
    async retryDead(user_id, client_id, times) {
      await store.retryDead(user_id, client_id, times);
      thenSend();
    },
    discardDead: store.discardDead,
    discardAll: store.discardAll,
    forgetSent: store.forgetSent,
    noteScanDecided: store.noteScanDecided,
    async askWaiting(user_id) {
      if (await store.askWaiting(user_id)) thenSend();
    },
    noteServer: store.noteServer,
    listSynced: store.listSynced,
    listOps: store.listOps,
    keptCount: (user_id) => store.keptCount(user_id),
  } satisfies Partial<Outbox>;
}

interface RunnerEvents {
  onStatus: (status: SyncStatus) => void;
  onResults: (results: OpResult[]) => void;
  onBroken: (error: unknown) => void;
}

function connectRunner(deps: OutboxDeps, store: OutboxStore, events: RunnerEvents): Runner {
  const { now, clockOffset, random, send } = deps;
  return createRunner({
    after: deps.after,
    lock: deps.lock,
    isOnline: deps.isOnline,
    userId: deps.confirmedUser,
    pendingCount: store.pendingCount,
    onStatus: events.onStatus,
    onBroken: events.onBroken,
    drain: (user_id, onBegin) =>
      drain(
        { store, now, clockOffset, random, onBegin, onResults: events.onResults, send: (ops) => send(user_id, ops) },
        user_id,
      ),
  });
}
