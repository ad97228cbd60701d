import type { OutboxDatabase } from './database.ts';
import type { DeadOp, LocalActivity, QueuedOp, WaitingScan } from './records.ts';
import { hasNotedLengths, isSynced } from './settle.ts';
import { bySeq, type WaitingMessage } from './waiting-message.ts';

/** A referee is told of a waiting scan this long; the server forgets it then. */
const WAITING_NOTE_MS = 14 * 86_400_000;

export const STORES = ['ops', 'dead', 'waiting', 'activities', 'messages'] as const;

/** Everything of one user that waits here. */
export interface OutboxRows {
  /** In the order in which they were saved. */
  ops: QueuedOp[];
  dead: DeadOp[];
  waiting: WaitingScan[];
  activities: LocalActivity[];
  /** In the order in which they were written, the refused ones among them. */
  messages: WaitingMessage[];
}

interface RowReaderDeps {
  open: () => Promise<OutboxDatabase>;
  /** Wall clock of the device, ms epoch. */
  now: () => number;
}

/** Reads the rows of the outbox, each user's only. */
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
    const noted_after = now() - WAITING_NOTE_MS;
    const asked = new Set(ops.map((op) => op.op_id));
    const noted = waiting.filter(({ op_id, noted_at }) => noted_at > noted_after && !asked.has(op_id));
    return { ops, dead, waiting: noted, activities, messages: messages.sort(bySeq) };
  }

  return {
    listRows,

    /** The steps of a user, in the order in which they were saved. */
    listOps: async (user_id: string): Promise<QueuedOp[]> => (await open()).getAllFromIndex('ops', 'user_id', user_id),

    /** How much of a user nobody else knows, and would stay here after they left: steps and messages, refused ones, noted lengths. */
    async keptCount(user_id: string): Promise<number> {
      const { ops, dead, activities, messages } = await listRows(user_id);
      return ops.length + dead.length + messages.length + activities.filter(hasNotedLengths).length;
    },

    /** The activities (client_ids) of which the server has all that happened here. */
    async listSynced(user_id: string): Promise<string[]> {
      const rows = await listRows(user_id);
      return rows.activities.filter((activity) => isSynced(activity, rows)).map(({ client_id }) => client_id);
    },

    pendingCount: async (user_id: string): Promise<number> => (await open()).countFromIndex('ops', 'user_id', user_id),
  };
}
