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

/** What the tabs of one browser tell each other about the outbox. */
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
  /** Who is signed in, as far as this device knows (for showing), and as the server has said (for sending). */
  shownUser: () => string | null;
  confirmedUser: () => string | null;
  /** Asks the browser to wake us up with a network. */
  requestWakeUp: () => void;
}

/** What the app sees of the outbox. Everything shown is read from the rows, also after another tab changed them. */
export interface Outbox extends MessageOutbox {
  /** Resolves when the step is on the disk, then sends it when it can. Rejects with OutboxError: not saved. */
  saveOp(user_id: string, op: Op, options?: SaveOptions): Promise<void>;
  /** Takes back a step that was saved with `hold_ms`; false when its time is over. */
  undoOp(op_id: string): Promise<boolean>;
  /** Takes a finish back that was saved with `undo_ms`; false when its time is over. */
  reopen: OutboxStore['reopen'];
  /** The user's finishes are not taken back any more. */
  keepFinishes: OutboxStore['keepFinishes'];
  /** Keeps lengths and intensity of a running activity. */
  saveDraft: OutboxStore['saveDraft'];
  retryDead: OutboxStore['retryDead'];
  discardDead(user_id: string, client_id: string): Promise<void>;
  discardAll(user_id: string): Promise<void>;
  forgetSent: OutboxStore['forgetSent'];
  /** The server has decided a scan that had waited there: its note goes, and a refusal is kept to be seen. */
  noteScanDecided: OutboxStore['noteScanDecided'];
  /** Asks again what became of the scans that wait on the server, for news of them may have been missed. */
  askWaiting(user_id: string): Promise<void>;
  /** Keeps what the server says of activities that are kept here. */
  noteServer: OutboxStore['noteServer'];
  listSynced: OutboxStore['listSynced'];
  listOps: OutboxStore['listOps'];
  keptCount: OutboxStore['keptCount'];
  /** Sends now what waits; false when something could not be sent. */
  kick(): Promise<boolean>;
  subscribe(listener: () => void): () => void;
  getSnapshot(): OutboxSnapshot;
  /** The server's answers to steps of this device, in every tab. */
  onResults(listener: (results: OpResult[]) => void): () => void;
  /** Call when the session has changed. */
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
    // The tab that saved it may be closed before it could send.
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

/** What is only written or read, and sent where something new may leave. */
function stepsOf(store: OutboxStore, refresh: () => Promise<void>, thenSend: () => void) {
  return {
    async saveOp(user_id, op, options) {
      await store.saveOp(user_id, op, options);
      // The next screen is drawn from the snapshot; it must know the step by then.
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
