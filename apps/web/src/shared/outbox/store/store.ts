import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import type { ClockMeasurement, ClockNote } from '@sendlap/domain/recording/clock-correction.ts';
import {
  applyOpResult,
  applyScanDecision,
  type CorrectedTimes,
  type DecidedScan,
  discardDead,
  pruneSent,
  requeueWaitingScans,
  retryDead,
} from './apply-results.ts';
import { correctTimes, dismissCorrections } from './correct-times.ts';
import type { OutboxDatabase, OutboxTransaction } from './database.ts';
import { OutboxError } from './errors.ts';
import { isInDoubt } from './judge-time.ts';
import { createMessageStore } from './message-store.ts';
import type { ActivityDraft, ActivityFacts } from './records.ts';
import { type OverlapResolution, resolveOverlap } from './resolve-overlap.ts';
import { createRowReader, deleteRows, listOwnSealed, WRITTEN_STORES } from './rows.ts';
import { finalizeFinishes, reopen, type SaveOptions, saveDraft, saveOp, undoOp } from './save-op.ts';
import { saveEpoch } from './sent.ts';
import type { ServerSnapshot } from './server-snapshot.ts';
import { writeWithEviction } from './write-with-eviction.ts';

export interface OutboxStoreDeps {
  open: () => Promise<OutboxDatabase>;
  /** Wall clock of the device, ms epoch. */
  now: () => number;
  newId: () => string;
  /** See `ServerClock`. */
  clockNote: () => ClockNote | null;
  /** Deletes expendable data (map tiles) when the disk is full. */
  freeSpace: () => Promise<void>;
  onChange: () => void;
}

export type OutboxStore = ReturnType<typeof createOutboxStore>;

/** The rows of the outbox. Every write is on disk before its promise resolves, or it rejects with OutboxError. */
export function createOutboxStore({ open, now, newId, clockNote, freeSpace, onChange }: OutboxStoreDeps) {
  async function write<Value>(work: (transaction: OutboxTransaction) => Promise<Value>): Promise<Value> {
    const value = await writeWithEviction({ open, freeSpace }, async (database) => {
      const transaction = database.transaction(WRITTEN_STORES, 'readwrite', { durability: 'strict' });
      // Together: otherwise the rejection of `done` is unhandled if the work fails first.
      const [result] = await Promise.all([work(transaction), transaction.done]);
      return result;
    });
    onChange();
    return value;
  }

  const stamp = () => ({ now: now(), random: newId().slice(0, 8), clock: clockNote() });
  const rows = createRowReader({ open, now });
  return {
    ...rows,

    /** Messages that wait to be sent. */
    messages: createMessageStore({ open, now, newId, freeSpace, onChange }),

    saveOp: (user_id: string, op: Op, options: SaveOptions = {}) =>
      write((transaction) => saveOp(transaction, { ...options, user_id, op, ...stamp() })),

    /**
     * Corrects the times of ops whose clock may have been wrong. `measure` is called if there are any; null: the server
     * does not tell its time.
     */
    async correctTimes(user_id: string, measure: () => Promise<ClockMeasurement | null>): Promise<void> {
      const measurement = (await rows.listOps(user_id)).some(isInDoubt) ? await measure() : null;
      if (measurement) await write((transaction) => correctTimes(transaction, { user_id, measurement, now: now() }));
    },

    /** The athlete has read that times were corrected. */
    dismissCorrections: (user_id: string) => write((transaction) => dismissCorrections(transaction, user_id)),

    saveDraft: (user_id: string, client_id: string, draft: ActivityDraft, facts: ActivityFacts) =>
      write((transaction) => saveDraft(transaction, { user_id, client_id, draft, facts, ...stamp() })),

    finalizeFinishes: (user_id: string) => write((transaction) => finalizeFinishes(transaction, user_id)),

    reopen: (user_id: string, op: Extract<Op, { kind: 'reopen' }>, facts: ActivityFacts) =>
      write((transaction) => reopen(transaction, { user_id, op, facts, now: now() })),

    undoOp: (op_id: string) => write((transaction) => undoOp(transaction, op_id, now())),

    applyResults: (results: OpResult[]) => applyResults(write, results, now()),

    /** Records that the ops could not be sent, and why. */
    recordFailure: (op_ids: string[], last_error: string) =>
      write(async (transaction) => {
        const ops = transaction.objectStore('ops');
        for (const op_id of op_ids) {
          const op = await ops.index('op_id').get(op_id);
          if (op) await ops.put({ ...op, attempts: op.attempts + 1, last_error });
        }
      }),

    /** Saves the server's state of activities that are stored here; see `ServerSnapshot`. */
    async applyServerSnapshot(user_id: string, snapshot: ServerSnapshot): Promise<void> {
      const { diffAgainstServer, applyServerSnapshot } = await import('./server-snapshot.ts');
      const { updated, removed } = diffAgainstServer(await rows.listRows(user_id), snapshot);
      if (updated.length + removed.length > 0)
        await write((transaction) => applyServerSnapshot(transaction, user_id, snapshot));
    },

    retryDead: (user_id: string, client_id: string, times: CorrectedTimes = {}) =>
      write((transaction) => retryDead(transaction, { user_id, client_id }, { now: now(), newId, times })),

    discardDead: (user_id: string, client_id: string) =>
      write((transaction) => discardDead(transaction, { user_id, client_id })),

    resolveOverlap: (user_id: string, client_id: string, resolution: OverlapResolution) =>
      write((transaction) => resolveOverlap(transaction, { user_id, client_id }, resolution, { ...stamp(), newId })),

    /** The user chose to delete everything here (logout). Other users' rows stay. */
    discardAll: (user_id: string) =>
      write(async (transaction) => {
        for (const { id } of await listOwnSealed(transaction, user_id))
          await transaction.objectStore('sealed').delete(id);
        await deleteRows(transaction, user_id);
      }),

    /** Returns whether there were scans to requeue. */
    async requeueWaitingScans(user_id: string): Promise<boolean> {
      const { waiting } = await rows.listRows(user_id);
      if (waiting.length > 0) await write((transaction) => requeueWaitingScans(transaction, user_id, now()));
      return waiting.length > 0;
    },

    applyScanDecision: (decision: DecidedScan) =>
      write((transaction) => applyScanDecision(transaction, decision, now())),

    /** Called after the user signed out. */
    pruneSent: (options: { keeps_copies: boolean }) => write((transaction) => pruneSent(transaction, options)),

    /**
     * The server has named its epoch. Returns true if it is another one than before, and what it had acknowledged was
     * queued again.
     */
    saveEpoch: (epoch: string) => write((transaction) => saveEpoch(transaction, epoch, now())),
  };
}

async function applyResults(
  write: (work: (transaction: OutboxTransaction) => Promise<void>) => Promise<void>,
  results: OpResult[],
  now: number,
): Promise<void> {
  const apply = (keeps_copy: boolean) =>
    write(async (transaction) => {
      for (const result of results) await applyOpResult(transaction, result, { now, keeps_copy });
    });
  await apply(true).catch((error: unknown) => {
    // A full disk still takes the answers.
    if (!(error instanceof OutboxError) || error.code !== 'storage_full') throw error;
    return apply(false);
  });
}
