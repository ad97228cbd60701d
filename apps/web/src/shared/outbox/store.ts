import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import type { OutboxDatabase, OutboxTransaction } from './database.ts';
import type { ActivityDraft, ActivityFacts, DeadOp, LocalActivity, QueuedOp, WaitingScan } from './records.ts';
import { makeRoom } from './room.ts';
import { releaseOp, type SaveOptions, saveDraft, saveOp, undoOp } from './save-op.ts';
import { discardDead, forgetSent, hasNotedLengths, retryDead, settleOp } from './settle.ts';

/** A referee is told of a waiting scan this long; the server forgets it then. */
const WAITING_NOTE_MS = 14 * 86_400_000;

const STORES = ['ops', 'dead', 'waiting', 'activities'] as const;

export interface OutboxStoreDeps {
  open: () => Promise<OutboxDatabase>;
  /** Wall clock of the device, ms epoch. */
  now: () => number;
  newId: () => string;
  /** Gives up what may be lost (map tiles) when the disk is full. */
  freeSpace: () => Promise<void>;
  onChange: () => void;
}

/** Everything of one user that waits here. */
export interface OutboxRows {
  /** In the order in which they were saved. */
  ops: QueuedOp[];
  dead: DeadOp[];
  waiting: WaitingScan[];
  activities: LocalActivity[];
}

export type OutboxStore = ReturnType<typeof createOutboxStore>;

/** The rows of the outbox. Every write is on the disk before its promise resolves, or it rejects with OutboxError. */
export function createOutboxStore({ open, now, newId, freeSpace, onChange }: OutboxStoreDeps) {
  async function write<Value>(work: (transaction: OutboxTransaction) => Promise<Value>): Promise<Value> {
    const value = await makeRoom({ open, freeSpace }, async (database) => {
      const transaction = database.transaction([...STORES], 'readwrite', { durability: 'strict' });
      // Together, or the rejection of `done` goes unheard when the work fails first.
      const [result] = await Promise.all([work(transaction), transaction.done]);
      return result;
    });
    onChange();
    return value;
  }

  return {
    saveOp: (user_id: string, op: Op, options: SaveOptions = {}) =>
      write((transaction) => saveOp(transaction, { ...options, user_id, op, now: now(), random: newId().slice(0, 8) })),

    saveDraft: (user_id: string, client_id: string, draft: ActivityDraft, facts: ActivityFacts) =>
      write((transaction) =>
        saveDraft(transaction, { user_id, client_id, draft, facts, now: now(), random: newId().slice(0, 8) }),
      ),

    releaseOp: (op_id: string) => write((transaction) => releaseOp(transaction, op_id)),

    undoOp: (op_id: string) => write((transaction) => undoOp(transaction, op_id, now())),

    settle: (results: OpResult[]) =>
      write(async (transaction) => {
        for (const result of results) await settleOp(transaction, result, now());
      }),

    /** The steps could not be sent, and why. */
    noteFailure: (op_ids: string[], last_error: string) =>
      write(async (transaction) => {
        const ops = transaction.objectStore('ops');
        for (const op_id of op_ids) {
          const op = await ops.index('op_id').get(op_id);
          if (op) await ops.put({ ...op, attempts: op.attempts + 1, last_error });
        }
      }),

    retryDead: (user_id: string, client_id: string) =>
      write((transaction) => retryDead(transaction, { user_id, client_id }, { now: now(), newId })),

    discardDead: (user_id: string, client_id: string) =>
      write((transaction) => discardDead(transaction, { user_id, client_id })),

    /** The user chose to keep nothing here (logout). Other users' rows stay. */
    discardAll: (user_id: string) =>
      write(async (transaction) => {
        for (const name of STORES) {
          const store = transaction.objectStore(name);
          let cursor = await store.index('user_id').openCursor(user_id);
          for (; cursor; cursor = await cursor.continue()) await cursor.delete();
        }
      }),

    /** The user has left. */
    forgetSent: () => write(forgetSent),

    async listRows(user_id: string): Promise<OutboxRows> {
      const transaction = (await open()).transaction([...STORES]);
      const [ops, dead, waiting, activities] = await Promise.all([
        transaction.objectStore('ops').index('user_id').getAll(user_id),
        transaction.objectStore('dead').index('user_id').getAll(user_id),
        transaction.objectStore('waiting').index('user_id').getAll(user_id),
        transaction.objectStore('activities').index('user_id').getAll(user_id),
      ]);
      const noted_after = now() - WAITING_NOTE_MS;
      return { ops, dead, waiting: waiting.filter((scan) => scan.noted_at > noted_after), activities };
    },

    /** The steps of a user, in the order in which they were saved. */
    listOps: async (user_id: string): Promise<QueuedOp[]> => (await open()).getAllFromIndex('ops', 'user_id', user_id),

    /** How much of a user nobody else knows, and would stay here after they left: steps, refused ones, noted lengths. */
    async keptCount(user_id: string): Promise<number> {
      const { ops, dead, activities } = await this.listRows(user_id);
      return ops.length + dead.length + activities.filter(hasNotedLengths).length;
    },

    pendingCount: async (user_id: string): Promise<number> => (await open()).countFromIndex('ops', 'user_id', user_id),
  };
}
