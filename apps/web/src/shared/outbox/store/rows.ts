import type { Activity } from '@sendlap/contract/activities.ts';
import type { Message } from '@sendlap/contract/chats.ts';
import type { StoreNames } from 'idb';
import { hasUnsentLengths, isSynced } from './apply-results.ts';
import type { OutboxDatabase, OutboxSchema, OutboxTransaction } from './database.ts';
import { bySeq, isAccepted, type QueuedMessage } from './queued-message.ts';
import type { DeadOp, LocalActivity, QueuedOp, SealedWork, SentItem, WaitingScan } from './records.ts';
import { countSealedItems } from './records.ts';
import { isHeld } from './save-op.ts';

/** How long a referee sees a waiting scan at most; the server refuses it 14 days after the scan. */
const WAITING_SCAN_MAX_AGE_MS = 14 * 86_400_000;

const SHOWN_STORES = ['ops', 'dead', 'waiting', 'activities', 'messages'] as const;
export const STORES = [...SHOWN_STORES, 'sent'] as const;

/** The stores of rows, those of sealed ones, and the server's epoch. */
export const WRITTEN_STORES: StoreNames<OutboxSchema>[] = [...STORES, 'sealing_keys', 'sealed', 'epoch'];

/** The rows of one user that the screens depend on. */
interface ShownRows {
  /** In the order in which they were saved. */
  ops: QueuedOp[];
  dead: DeadOp[];
  waiting: WaitingScan[];
  activities: LocalActivity[];
  /** In the order in which they were written, including refused ones. */
  messages: QueuedMessage[];
}

/** All rows of one user as they are stored on this device. */
export interface StoredRows extends ShownRows {
  /** Copies of what the server has. */
  sent: SentItem[];
}

/**
 * The rows of one user as screens read them: without scans that are over, messages that are sent, and activities that
 * become part of another.
 */
export interface OutboxRows extends ShownRows {
  /** The worker has sent them, and no page has stored them in their threads yet. */
  accepted: Message[];
}

/** What waits to be sent, of all users of this device. */
export interface Queue {
  op_count: number;
  /** The chats with a message that waits. */
  chat_ids: string[];
  /** How long the last op that can still be undone is held, ms. */
  held_ms: number;
}

export const NO_ROWS: OutboxRows = { ops: [], dead: [], waiting: [], activities: [], messages: [], accepted: [] };

/** Counts what only this device has and what would remain here after a sign-out. */
export function countItems({ ops, dead, activities, messages }: ShownRows): number {
  const unsent = messages.filter((message) => !isAccepted(message));
  return ops.length + dead.length + unsent.length + activities.filter(hasUnsentLengths).length;
}

/** Returns all rows of a user as they are stored. */
export async function readRows(
  transaction: Pick<OutboxTransaction, 'objectStore'>,
  user_id: string,
): Promise<StoredRows> {
  const shown = await readShownRows(transaction, user_id);
  return { ...shown, sent: await transaction.objectStore('sent').index('user_id').getAll(user_id) };
}

async function readShownRows(transaction: Pick<OutboxTransaction, 'objectStore'>, user_id: string): Promise<ShownRows> {
  const [ops, dead, waiting, activities, messages] = await Promise.all([
    transaction.objectStore('ops').index('user_id').getAll(user_id),
    transaction.objectStore('dead').index('user_id').getAll(user_id),
    transaction.objectStore('waiting').index('user_id').getAll(user_id),
    transaction.objectStore('activities').index('user_id').getAll(user_id),
    transaction.objectStore('messages').index('user_id').getAll(user_id),
  ]);
  return { ops, dead, waiting, activities, messages: messages.sort(bySeq) };
}

export async function deleteRows(transaction: OutboxTransaction, user_id: string): Promise<void> {
  for (const name of STORES) {
    let cursor = await transaction.objectStore(name).index('user_id').openCursor(user_id);
    for (; cursor; cursor = await cursor.continue()) await cursor.delete();
  }
}

/** Returns the work of a signed-in user that is still sealed; none if the user's key is not here yet. */
export async function listOwnSealed(
  transaction: Pick<OutboxTransaction, 'objectStore'>,
  user_id: string,
): Promise<SealedWork[]> {
  const key = await transaction.objectStore('sealing_keys').get(user_id);
  return key ? transaction.objectStore('sealed').index('public_key').getAll(key.public_key) : [];
}

interface RowReaderDeps {
  open: () => Promise<OutboxDatabase>;
  /** Wall clock of the device, ms epoch. */
  now: () => number;
}

/** Reads the outbox rows of one user, and the queue of all. */
export function createRowReader({ open, now }: RowReaderDeps) {
  async function listRows(user_id: string): Promise<OutboxRows> {
    const rows = await readShownRows((await open()).transaction([...SHOWN_STORES]), user_id);
    const oldest_noted_at = now() - WAITING_SCAN_MAX_AGE_MS;
    const queued_ids = new Set(rows.ops.map((op) => op.op_id));
    const isShown = ({ op_id, noted_at }: WaitingScan) => noted_at > oldest_noted_at && !queued_ids.has(op_id);
    const merged_ids = new Set(rows.dead.filter(({ merged_by }) => merged_by).map(({ client_id }) => client_id));
    const isSeparate = ({ client_id }: { client_id: string }) => !merged_ids.has(client_id);
    return {
      ...rows,
      dead: rows.dead.filter(isSeparate).sort((a, b) => a.seq - b.seq),
      activities: rows.activities.filter(isSeparate),
      waiting: rows.waiting.filter(isShown),
      messages: rows.messages.filter((message) => !isAccepted(message)),
      accepted: rows.messages.flatMap(({ accepted }) => accepted ?? []),
    };
  }

  return {
    listRows,

    /** Returns a user's ops, in the order in which they were saved. */
    listOps: async (user_id: string): Promise<QueuedOp[]> => (await open()).getAllFromIndex('ops', 'user_id', user_id),

    /**
     * Counts the user's data that only this device has and that would remain here after a sign-out: ops and messages,
     * refused ones, noted lengths, and work of an earlier session that is still sealed.
     */
    async countLocalOnly(user_id: string): Promise<number> {
      const sealed = await listOwnSealed((await open()).transaction(['sealing_keys', 'sealed']), user_id);
      return countSealedItems(sealed) + countItems(await listRows(user_id));
    },

    /** Returns the activities (client_ids) whose ops have all reached the server. */
    async listSynced(user_id: string): Promise<string[]> {
      const rows = await listRows(user_id);
      return rows.activities.filter((activity) => isSynced(activity, rows)).map(({ client_id }) => client_id);
    },

    /** Returns what the server answered to ops of this user: it may be newer than a copy of a list. */
    async listAcked(user_id: string): Promise<{ server: Activity; acked_at: number }[]> {
      const { activities } = await listRows(user_id);
      return activities.flatMap(({ server, acked_at }) =>
        server && acked_at !== undefined ? { server, acked_at } : [],
      );
    },

    async readQueue(): Promise<Queue> {
      const transaction = (await open()).transaction(['ops', 'messages']);
      const [ops, messages] = await Promise.all([
        transaction.objectStore('ops').getAll(),
        transaction.objectStore('messages').getAll(),
      ]);
      const held = ops.filter((op) => isHeld(op, now())).map(({ hold_until }) => (hold_until ?? 0) - now());
      const waiting = messages.filter((message) => message.refused === null && !isAccepted(message));
      return {
        op_count: ops.length,
        chat_ids: [...new Set(waiting.map(({ chat_id }) => chat_id))],
        held_ms: Math.max(0, ...held),
      };
    },

    pendingCount: async (user_id: string): Promise<number> => (await open()).countFromIndex('ops', 'user_id', user_id),
  };
}
