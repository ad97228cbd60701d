import type { Op } from '@sendlap/contract/activities.ts';
import type { ClockNote } from '@sendlap/domain/recording/clock-correction.ts';
import {
  applyScanDecision,
  type CorrectedTimes,
  type DecidedScan,
  discardDead,
  pruneSent,
  requeueWaitingScans,
  retryDead,
} from './apply-results.ts';
import { dismissCorrections } from './correct-times.ts';
import type { OutboxTransaction } from './database.ts';
import type { ActivityDraft, ActivityFacts } from './records.ts';
import { type OverlapResolution, resolveOverlap } from './resolve-overlap.ts';
import { deleteRows, listOwnSealed } from './rows.ts';
import { finalizeFinishes, reopen, type SaveOptions, saveDraft, saveOp, undoOp } from './save-op.ts';
import { createSendStore, type SendStoreDeps } from './send-store.ts';
import type { ServerSnapshot } from './server-snapshot.ts';

export interface OutboxStoreDeps extends SendStoreDeps {
  /** See `ServerClock`. */
  clockNote: () => ClockNote | null;
}

export type OutboxStore = ReturnType<typeof createOutboxStore>;

/** The rows of the outbox, as a page reads and writes them. */
export function createOutboxStore({ clockNote, ...deps }: OutboxStoreDeps) {
  const { now, newId } = deps;
  const { write, ...sending } = createSendStore(deps);
  const stamp = () => ({ now: now(), random: newId().slice(0, 8), clock: clockNote() });

  /**
   * The clock that the caller has just read is noted at once: while a full disk refuses the write, the clock may be
   * measured, and the op would look as if it had been saved by a measured one.
   */
  function writeStamped<Value>(
    work: (transaction: OutboxTransaction, stamped: ReturnType<typeof stamp>) => Promise<Value>,
  ): Promise<Value> {
    const stamped = stamp();
    return write((transaction) => work(transaction, stamped));
  }

  return {
    ...sending,

    saveOp: (user_id: string, op: Op, options: SaveOptions = {}) =>
      writeStamped((transaction, stamped) => saveOp(transaction, { ...options, user_id, op, ...stamped })),

    /** The athlete has read that times were corrected. */
    dismissCorrections: (user_id: string) => write((transaction) => dismissCorrections(transaction, user_id)),

    saveDraft: (user_id: string, client_id: string, draft: ActivityDraft, facts: ActivityFacts) =>
      writeStamped((transaction, stamped) => saveDraft(transaction, { user_id, client_id, draft, facts, ...stamped })),

    /** The user's finishes can no longer be undone. */
    finalizeFinishes: (user_id: string) => write((transaction) => finalizeFinishes(transaction, user_id)),

    reopen: (user_id: string, op: Extract<Op, { kind: 'reopen' }>, facts: ActivityFacts) =>
      write((transaction) => reopen(transaction, { user_id, op, facts, now: now() })),

    /** Undoes an op that was saved with `hold_ms`. Returns false if its time is over. */
    undoOp: (op_id: string) => write((transaction) => undoOp(transaction, op_id, now())),

    /** Saves the server's state of activities that are stored here; see `ServerSnapshot`. */
    async applyServerSnapshot(user_id: string, snapshot: ServerSnapshot): Promise<void> {
      const { diffAgainstServer, applyServerSnapshot } = await import('./server-snapshot.ts');
      const { updated, removed } = diffAgainstServer(await sending.listRows(user_id), snapshot);
      if (updated.length + removed.length > 0)
        await write((transaction) => applyServerSnapshot(transaction, user_id, snapshot));
    },

    retryDead: (user_id: string, client_id: string, times: CorrectedTimes = {}) =>
      write((transaction) => retryDead(transaction, { user_id, client_id }, { now: now(), newId, times })),

    discardDead: (user_id: string, client_id: string) =>
      write((transaction) => discardDead(transaction, { user_id, client_id })),

    resolveOverlap: (user_id: string, client_id: string, resolution: OverlapResolution) =>
      writeStamped((transaction, stamped) =>
        resolveOverlap(transaction, { user_id, client_id }, resolution, { ...stamped, newId }),
      ),

    /** The user chose to delete everything here (logout). Other users' rows stay. */
    discardAll: (user_id: string) =>
      write(async (transaction) => {
        for (const { id } of await listOwnSealed(transaction, user_id))
          await transaction.objectStore('sealed').delete(id);
        await deleteRows(transaction, user_id);
      }),

    /** Returns whether there were scans to requeue. */
    async requeueWaitingScans(user_id: string): Promise<boolean> {
      const { waiting } = await sending.listRows(user_id);
      if (waiting.length > 0) await write((transaction) => requeueWaitingScans(transaction, user_id, now()));
      return waiting.length > 0;
    },

    /** The server has decided a scan that waited there: deletes its note, and keeps a refusal visible. */
    applyScanDecision: (decision: DecidedScan) =>
      write((transaction) => applyScanDecision(transaction, decision, now())),

    /** Called after the user signed out. */
    pruneSent: (options: { keeps_copies: boolean }) => write((transaction) => pruneSent(transaction, options)),
  };
}
