import { hasUnsentLengths, isSynced } from './apply-results.ts';
import type { OutboxDatabase } from './database.ts';
import { bySeq, type QueuedMessage } from './queued-message.ts';
import type { DeadOp, LocalActivity, QueuedOp, WaitingScan } from './records.ts';

/** How long a referee sees a waiting scan; the server deletes it then. */
const WAITING_SCAN_MAX_AGE_MS = 14 * 86_400_000;

export const STORES = ['ops', 'dead', 'waiting', 'activities', 'messages'] as const;

/** All rows of one user on this device. */
export interface OutboxRows {
  /** In the order in which they were saved. */
  ops: QueuedOp[];
  dead: DeadOp[];
  waiting: WaitingScan[];
  activities: LocalActivity[];
  /** In the order in which they were written, including refused ones. */
  messages: QueuedMessage[];
}

interface RowReaderDeps {
  open: () => Promise<OutboxDatabase>;
  /** Wall clock of the device, ms epoch. */
  now: () => number;
}

/** Reads the outbox rows of one user at a time. */
export function createRowReader({ open, now }: RowReaderDeps) {
  async function listRows(user_id: string): Promise<OutboxRows> {
    const transaction = (await open()).transaction([...STORES]);
    const [ops, dead, waiting, activities, messages] = await Promise.all([
      transaction.objectStore('ops').index('user_id').getAll(user_id),
      transaction.objectStore('dead').index('user_id').getAll(user_id),
      transaction.objectStore('waiting').index('user_id').getAll(user_id),
      transaction.objectStore('activities').index('user_id').getAll(user_id),
      transaction.objectStore('messages').index('user_id').getAll(user_id),
    ]);
    const oldest_noted_at = now() - WAITING_SCAN_MAX_AGE_MS;
    const queued_ids = new Set(ops.map((op) => op.op_id));
    const shown_scans = waiting.filter(({ op_id, noted_at }) => noted_at > oldest_noted_at && !queued_ids.has(op_id));
    return { ops, dead, waiting: shown_scans, activities, messages: messages.sort(bySeq) };
  }

  return {
    listRows,

    /** Returns a user's ops, in the order in which they were saved. */
    listOps: async (user_id: string): Promise<QueuedOp[]> => (await open()).getAllFromIndex('ops', 'user_id', user_id),

    /**
     * Counts the user's data that only this device has and that would remain here after a sign-out: ops and messages,
     * refused ones, noted lengths.
     */
    async countLocalOnly(user_id: string): Promise<number> {
      const { ops, dead, activities, messages } = await listRows(user_id);
      return ops.length + dead.length + messages.length + activities.filter(hasUnsentLengths).length;
    },

    /** Returns the activities (client_ids) whose ops have all reached the server. */
    async listSynced(user_id: string): Promise<string[]> {
      const rows = await listRows(user_id);
      return rows.activities.filter((activity) => isSynced(activity, rows)).map(({ client_id }) => client_id);
    },

    pendingCount: async (user_id: string): Promise<number> => (await open()).countFromIndex('ops', 'user_id', user_id),
  };
}
