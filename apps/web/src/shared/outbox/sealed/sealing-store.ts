import { countUnsentRows } from '../store/count-unsent.ts';
import type { OutboxDatabase, OutboxTransaction } from '../store/database.ts';
import { OutboxError } from '../store/errors.ts';
import type { SealedWork, SealingKey } from '../store/records.ts';
import { countItems, deleteRows, readRows, STORES, type StoredRows, WRITTEN_STORES } from '../store/rows.ts';
import { resendLost } from '../store/sent.ts';
import { writeWithEviction } from '../store/write-with-eviction.ts';
import { restoreRows } from './restore-rows.ts';
import { seal } from './seal-box.ts';

/** Another tab may save something while the rows are sealed; they are then sealed again. */
const MAX_TRIES = 5;

export interface SealingStoreDeps {
  open: () => Promise<OutboxDatabase>;
  /** Deletes expendable data (map tiles) when the disk is full. */
  freeSpace: () => Promise<void>;
  /** Wall clock of the device, ms epoch. */
  now: () => number;
  /** The rows have changed. */
  onChange: () => void;
}

/** Sealed work after it was opened. */
export interface OpenedWork extends Pick<SealedWork, 'id'> {
  rows: StoredRows;
}

export type SealingStore = ReturnType<typeof createSealingStore>;

/** Sealed work in the outbox. Every write of it is on disk before its promise resolves, or it rejects with OutboxError. */
export function createSealingStore({ open, freeSpace, now, onChange }: SealingStoreDeps) {
  const write = (work: (transaction: OutboxTransaction) => Promise<boolean>): Promise<boolean> =>
    writeWithEviction({ open, freeSpace }, async (database) => {
      const transaction = database.transaction(WRITTEN_STORES, 'readwrite', { durability: 'strict' });
      const [result] = await Promise.all([
        work(transaction).catch((error) => abort(transaction, error)),
        transaction.done,
      ]);
      return result;
    });

  /**
   * Public keys by user id, as this page has read or saved them. Another tab deletes the saved key when its session
   * ends, while this one may still save rows.
   */
  const keys = new Map<string, string>();

  /** Replaces the rows by one sealed record, and deletes the key. Returns false if the rows have changed since. */
  async function replaceRows(rows: StoredRows, { user_id, public_key }: SealingKey): Promise<boolean> {
    const text = JSON.stringify(rows);
    const is_empty = STORES.every((name) => rows[name].length === 0);
    const sealed = is_empty ? null : { ...(await seal(text, public_key)), public_key, ...describe(rows, now()) };
    return write(async (transaction) => {
      if (JSON.stringify(await readRows(transaction, user_id)) !== text) return false;
      // The database assigns the id.
      if (sealed) await transaction.objectStore('sealed').add(sealed as SealedWork);
      await deleteRows(transaction, user_id);
      await transaction.objectStore('sealing_keys').delete(user_id);
      return true;
    });
  }

  async function sealRowsOf(key: SealingKey): Promise<void> {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const rows = await readRows((await open()).transaction([...STORES]), key.user_id);
      if (!(await replaceRows(rows, key))) continue;
      keys.delete(key.user_id);
      return onChange();
    }
    throw new OutboxError('storage_failed', new Error('the rows kept changing while they were sealed'));
  }

  return {
    /**
     * Seals the rows of every user whose key is here, and deletes the keys. Other rows stay readable. Throws the first
     * error after all users were tried.
     */
    async sealAll(): Promise<void> {
      for (const { user_id, public_key } of await (await open()).getAll('sealing_keys')) keys.set(user_id, public_key);
      const errors: unknown[] = [];
      for (const [user_id, public_key] of [...keys]) {
        await sealRowsOf({ user_id, public_key }).catch((error) => errors.push(error));
      }
      if (errors.length > 0) throw errors[0];
    },

    /** Returns the user's public key, null if this device does not have it. */
    async findKey(user_id: string): Promise<string | null> {
      const found = await (await open()).get('sealing_keys', user_id);
      if (found) keys.set(user_id, found.public_key);
      return found?.public_key ?? null;
    },

    /** Saves the key unless the user has signed out since: it would be a trace of the user. */
    async saveKey(key: SealingKey, isSignedIn: () => boolean): Promise<void> {
      const database = await open();
      if (!isSignedIn()) return;
      keys.set(key.user_id, key.public_key);
      await database.put('sealing_keys', key);
    },

    /** Returns the sealed work of all users. */
    listSealed: async (): Promise<SealedWork[]> => (await open()).getAll('sealed'),

    /**
     * Replaces sealed work by its rows, all in one transaction, because later work may depend on earlier. Leaves work
     * that another tab opened or discarded; does nothing if the user has signed out.
     */
    async restore(works: readonly OpenedWork[], isSignedIn: () => boolean): Promise<void> {
      const is_restored = await write(async (transaction) => {
        if (!isSignedIn()) return false;
        const sealed = transaction.objectStore('sealed');
        const ids = new Set(await sealed.getAllKeys());
        const found = works.filter(({ id }) => ids.has(id));
        await restoreRows(transaction, joinRows(found));
        await resendLost(transaction, now());
        for (const { id } of found) await sealed.delete(id);
        return found.length > 0;
      });
      if (is_restored) onChange();
    },

    async discard(ids: readonly number[]): Promise<void> {
      await write(async (transaction) => {
        for (const id of ids) await transaction.objectStore('sealed').delete(id);
        return true;
      });
      onChange();
    },
  };
}

function describe(rows: StoredRows, sealed_at: number): Pick<SealedWork, 'counts' | 'item_count' | 'sealed_at'> {
  return { counts: countUnsentRows(rows), item_count: countItems(rows), sealed_at };
}

/** Half of the writes would lose rows, or count them twice. Throws the error. */
function abort(transaction: OutboxTransaction, error: unknown): never {
  try {
    transaction.abort();
  } catch {
    // The database has aborted it already.
  }
  throw error;
}

function joinRows(works: readonly OpenedWork[]): StoredRows {
  return {
    ops: works.flatMap(({ rows }) => rows.ops),
    dead: works.flatMap(({ rows }) => rows.dead),
    waiting: works.flatMap(({ rows }) => rows.waiting),
    activities: works.flatMap(({ rows }) => rows.activities),
    messages: works.flatMap(({ rows }) => rows.messages),
    sent: works.flatMap(({ rows }) => rows.sent),
  };
}
