import { type DBSchema, type IDBPDatabase, type IDBPObjectStore, openDB } from 'idb';
import type { KioskBoard, Pairing } from './kiosk-state.ts';

const NAME = 'sendlap-kiosk';
const VERSION = 1;

/** A pairing code that this tablet has sent. Sent again with the same key, it gets the same answer if the first one was lost. */
interface PairingAttempt {
  code: string;
  idempotency_key: string;
}

interface KioskSchema extends DBSchema {
  /** One row a key: `pairing`, `board`, `attempt`. */
  facts: { key: string; value: Pairing | KioskBoard | PairingAttempt };
}

export type KioskStore = typeof kioskStore;

/**
 * The kiosk's data on this device, so that it continues after a reload without network. Every write throws if it fails.
 */
export const kioskStore = {
  load: () =>
    withDatabase(async (database) => ({
      pairing: ((await database.get('facts', 'pairing')) as Pairing | undefined) ?? null,
      board: ((await database.get('facts', 'board')) as KioskBoard | undefined) ?? null,
    })),
  /**
   * Returns the idempotency key of a pairing code: the stored one if this code was the last one tried, also after a crash,
   * else a new one, which it stores first.
   */
  getOrCreateAttemptKey: (code: string) =>
    withDatabase(async (database) => {
      const { store, done } = database.transaction('facts', 'readwrite');
      const stored = (await store.get('attempt')) as PairingAttempt | undefined;
      const attempt = stored?.code === code ? stored : { code, idempotency_key: crypto.randomUUID() };
      await store.put(attempt, 'attempt');
      await done;
      return attempt.idempotency_key;
    }),
  /** Makes this tablet the kiosk of `pairing` and deletes the data of a previous one. */
  pair: (pairing: Pairing) =>
    withDatabase(async (database) => {
      const { store, done } = database.transaction('facts', 'readwrite');
      await Promise.all([store.clear(), store.put(pairing, 'pairing'), done]);
    }),
  /**
   * Saves new keys or a new board of the kiosk with this token. Returns false if the tablet has been re-paired or
   * un-paired.
   */
  update: (token: string, { pairing, board }: { pairing?: Pairing; board?: KioskBoard }) =>
    ifStillPaired(token, async (store) => {
      if (pairing) await store.put(pairing, 'pairing');
      if (board) await store.put(board, 'board');
    }),
  /** Un-pairs the tablet, unless it has been paired with another token since. */
  unpair: (token: string) => ifStillPaired(token, (store) => store.clear()),
};

type Store = IDBPObjectStore<KioskSchema, ['facts'], 'facts', 'readwrite'>;

/** In one transaction: another tab may have un-paired the tablet, or paired it again. */
function ifStillPaired(token: string, work: (store: Store) => Promise<unknown>): Promise<boolean> {
  return withDatabase(async (database) => {
    const { store, done } = database.transaction('facts', 'readwrite');
    const pairing = (await store.get('pairing')) as Pairing | undefined;
    const is_same = pairing?.token === token;
    if (is_same) await work(store);
    await done;
    return is_same;
  });
}

/**
 * Opened for each use, so that an idle tab does not block another tab's upgrade. A failure never deletes the database:
 * the failure may be temporary, and the tablet would no longer be a kiosk.
 */
async function withDatabase<Result>(work: (database: IDBPDatabase<KioskSchema>) => Promise<Result>): Promise<Result> {
  const upgrade = (database: IDBPDatabase<KioskSchema>) => void database.createObjectStore('facts');
  const database = await openDB<KioskSchema>(NAME, VERSION, { upgrade });
  try {
    return await work(database);
  } finally {
    database.close();
  }
}
