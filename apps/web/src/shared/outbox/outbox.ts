import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import type { Message } from '@sendlap/contract/chats.ts';
import { createListeners } from '#web/shared/lib/store.ts';
import type { TabChannel } from '#web/shared/lib/tab-channel.ts';
import { type DrainDeps, drain } from './send/drain.ts';
import { createMessageOutbox, type MessageOutbox } from './send/message-outbox.ts';
import type { MessageSenderDeps } from './send/message-sender.ts';
import type { OutboxCalls } from './send/outbox-calls.ts';
import { createRunner, RETRY_WHILE_PENDING_MS, type Runner, type RunnerDeps } from './send/runner.ts';
import { createSyncStatus, type SyncStatus, type Timers } from './send/sync-status.ts';
import { createEpochs, type EpochDeps } from './send/watch-requeues.ts';
import { createSnapshot, type OutboxSnapshot } from './snapshot.ts';
import type { SaveOptions } from './store/save-op.ts';
import type { OutboxStore } from './store/store.ts';

/** Outbox messages between the tabs of a browser. */
export type OutboxMessage =
  | { type: 'changed' }
  | { type: 'status'; status: SyncStatus }
  | { type: 'results'; results: OpResult[] }
  | { type: 'message_sent'; message: Message };

export type OutboxChannel = TabChannel<OutboxMessage>;

export interface OutboxDeps
  extends Timers,
    OutboxCalls,
    Pick<MessageSenderDeps, 'lockChat' | 'monotonicNow' | 'visit'> {
  makeStore: (onChange: () => void) => OutboxStore;
  channel: OutboxChannel;
  lock: RunnerDeps['lock'];
  now: () => number;
  random: () => number;
  isOnline: () => boolean;
  measureClock: DrainDeps['measureClock'];
  /** The signed-in user: as this device knows it (for display), and once the start-up has asked the server (for sending). */
  shownUserId: () => string | null;
  confirmedUserId: () => string | null;
  /** Asks the browser to wake the service worker when there is a network. */
  scheduleBackgroundSync: () => void;
}

/** Changes of the stored rows that are sent or shown at once. */
interface OpMethods {
  /** Resolves when the op is on disk, then sends it when possible. Rejects with OutboxError: not saved. */
  saveOp(user_id: string, op: Op, options?: SaveOptions): Promise<void>;
  /** Undoes a finish that was saved with `undo_ms`. Returns false if its time is over. */
  reopen: OutboxStore['reopen'];
  /** Saves lengths and intensity of a running activity. */
  saveDraft: OutboxStore['saveDraft'];
  retryDead: OutboxStore['retryDead'];
  /** Saves the athlete's choice for a refused activity that overlaps others. Returns false if it was made before. */
  resolveOverlap: OutboxStore['resolveOverlap'];
  /** Requeues the scans that wait on the server, because news of their outcome may have been missed. */
  requeueWaitingScans(user_id: string): Promise<void>;
}

type StoreMethod =
  | 'applyScanDecision'
  | 'applyServerSnapshot'
  | 'countLocalOnly'
  | 'discardAll'
  | 'discardDead'
  | 'dismissCorrections'
  | 'finalizeFinishes'
  | 'listAcked'
  | 'listOps'
  | 'listSynced'
  | 'pruneSent'
  | 'undoOp';

/** The outbox as the app sees it. All shown data is read from the rows, also after another tab changed them. */
export interface Outbox extends MessageOutbox, OpMethods {
  /** Reads and changes of stored rows after which nothing has to be sent. All others are methods of the outbox. */
  store: Pick<OutboxStore, StoreMethod>;
  /** The server has named its epoch: sends again what an earlier one had acknowledged. */
  saveEpoch(epoch: string): Promise<void>;
  /** Sends the queued ops and messages now. Resolves to false if one could not be sent. */
  flush(): Promise<boolean>;
  subscribe(listener: () => void): () => void;
  getSnapshot(): OutboxSnapshot;
  /** Calls back with the server's answers to ops of this device, in every tab. */
  onResults(listener: (results: OpResult[]) => void): () => void;
  /** Shows what the worker says of its sending; the rows and results follow by the channel. */
  showWorkerStatus(status: SyncStatus): void;
  /** Call after the session has changed. */
  handleUserChange(): void;
}

export function createOutbox(deps: OutboxDeps): Outbox {
  const { channel, scheduleBackgroundSync } = deps;
  const { subscribe: onResults, notify: notifyResults } = createListeners<[OpResult[]]>();
  const snapshot = createSnapshot((user_id) => store.listRows(user_id), deps.shownUserId);
  const store = deps.makeStore(() => {
    void snapshot.refresh();
    channel.post({ type: 'changed' });
  });
  const status = createSyncStatus(deps, () => snapshot.update({ status: status.get() }));
  const publishStatus = (next: SyncStatus) => {
    status.set(next);
    channel.post({ type: 'status', status: next });
  };
  const onStorageError = (error: unknown) => snapshot.update({ storage_error: error });
  const { saveEpoch, readEpoch } = createEpochs(store, () => {
    void flush();
    scheduleBackgroundSync();
  });
  const runner = connectRunner({ ...deps, readEpoch }, store, {
    onStatus: publishStatus,
    onStorageError,
    onResults(results) {
      notifyResults(results);
      channel.post({ type: 'results', results });
    },
  });
  const { notifySent, adoptAccepted, flushMessages, ...messages } = createMessageOutbox({
    ...deps,
    readEpoch,
    store: store.messages,
    isOpWaiting: async (user_id) => (await store.pendingCount(user_id)) > 0,
    flushAll: flush,
    refresh: snapshot.refresh,
    onStorageError,
    onFailed: () => publishStatus('error'),
    onSent: (message) => channel.post({ type: 'message_sent', message }),
  });
  async function flush(): Promise<boolean> {
    void adoptAccepted();
    // Activities first: messages must not take the first seconds of a weak signal from them.
    const are_ops_sent = await runner.flush();
    const is_sent = (await flushMessages()) && are_ops_sent;
    // After some failures the browser gives up.
    if (!is_sent) scheduleBackgroundSync();
    return is_sent;
  }

  let cancelRetry = () => {};
  function handleRemoteChange(): void {
    void snapshot.refresh();
    void adoptAccepted();
    // The tab that saved the op may be closed before it could send it.
    cancelRetry();
    cancelRetry = deps.schedule(RETRY_WHILE_PENDING_MS, () => void flush());
  }

  channel.listen((message) => {
    if (message.type === 'changed') handleRemoteChange();
    else if (message.type === 'status') status.set(message.status);
    else if (message.type === 'message_sent') notifySent(message.message);
    else notifyResults(message.results);
  });

  const triggerSend = () => {
    void runner.flush();
    scheduleBackgroundSync();
  };

  return {
    ...createOpMethods(store, snapshot.refresh, triggerSend),
    ...messages,
    saveEpoch,
    flush,
    subscribe: snapshot.subscribe,
    getSnapshot: snapshot.get,
    onResults,
    showWorkerStatus: status.set,
    handleUserChange: () => void Promise.all([snapshot.refresh(), flush()]),
  };
}

function createOpMethods(
  store: OutboxStore,
  refresh: () => Promise<void>,
  triggerSend: () => void,
): OpMethods & Pick<Outbox, 'store'> {
  return {
    store,
    async saveOp(user_id, op, options) {
      await store.saveOp(user_id, op, options);
      // The next screen renders from the snapshot, which must contain the op by then.
      await refresh();
      triggerSend();
    },
    async reopen(...args) {
      const is_reopened = await store.reopen(...args);
      await refresh();
      if (is_reopened) triggerSend();
      return is_reopened;
    },
    async saveDraft(...draft) {
      await store.saveDraft(...draft);
      await refresh();
    },
    async retryDead(user_id, client_id, times) {
      await store.retryDead(user_id, client_id, times);
      triggerSend();
    },
    async resolveOverlap(...resolution) {
      const is_resolved = await store.resolveOverlap(...resolution);
      await refresh();
      if (is_resolved) triggerSend();
      return is_resolved;
    },
    async requeueWaitingScans(user_id) {
      if (await store.requeueWaitingScans(user_id)) triggerSend();
    },
  };
}

interface RunnerEvents {
  onStatus: (status: SyncStatus) => void;
  onResults: (results: OpResult[]) => void;
  onStorageError: (error: unknown) => void;
}

function connectRunner(deps: OutboxDeps & EpochDeps, store: OutboxStore, events: RunnerEvents): Runner {
  const { now, measureClock, random, readEpoch } = deps;
  const sending = { store, now, measureClock, random, readEpoch, onResults: events.onResults };
  return createRunner({
    schedule: deps.schedule,
    lock: deps.lock,
    visit: deps.visit,
    isOnline: deps.isOnline,
    userId: deps.confirmedUserId,
    isEmpty: async (user_id) => (await store.pendingCount(user_id)) === 0,
    onStatus: events.onStatus,
    onStorageError: events.onStorageError,
    drain: (user_id, onBegin, signal) =>
      drain({ ...sending, onBegin, send: (ops, beforeSend) => deps.send(user_id, ops, beforeSend, signal) }, user_id),
  });
}
