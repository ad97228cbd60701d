import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { KioskBoard, Pairing, PairingAttempt } from './kiosk-records.ts';

const NAME = 'sendlap-kiosk';
const VERSION = 1;

interface KioskSchema extends DBSchema {
  /** One row of each: `pairing`, `board`, `attempt`. */
  facts: { key: string; value: Pairing | KioskBoard | PairingAttempt };
}

/** What a kiosk keeps, so that it goes on after a reload without network. Every write throws when it fails. */
export interface KioskStore {
  load(): Promise<{ pairing: Pairing | null; board: KioskBoard | null }>;
  /** The idempotency key of a code: the same one for the same code until the tablet is paired, also after a crash. */
  keyOfAttempt(code: string): Promise<string>;
  /** The tablet is this kiosk from now on; what it was before is forgotten. */
  pair(pairing: Pairing): Promise<void>;
  /** New keys, or a new board, of the kiosk of this token. False when the tablet is another one by now, or none. */
  update(token: string, change: { pairing?: Pairing; board?: KioskBoard }): Promise<boolean>;
  /** The tablet is this kiosk no more; one that was paired meanwhile stays. */
  forget(token: string): Promise<void>;
}

export const kioskStore: KioskStore = {
  load: () =>
    withDatabase(async (database) => ({
      pairing: ((await database.get('facts', 'pairing')) as Pairing | undefined) ?? null,
      board: ((await database.get('facts', 'board')) as KioskBoard | undefined) ?? null,
    })),
  keyOfAttempt: (code) =>
    withDatabase(async (database) => {
      const { store, done } = database.transaction('facts', 'readwrite');
      const known = (await store.get('attempt')) as PairingAttempt | undefined;
      const attempt = known?.code === code ? known : { code, idempotency_key: crypto.randomUUID() };
      await store.put(attempt, 'attempt');
      await done;
      return attempt.idempotency_key;
    }),
  pair: (pairing) =>
    withDatabase(async (database) => {
      const { store, done } = database.transaction('facts', 'readwrite');
      await Promise.all([store.clear(), store.put(pairing, 'pairing'), done]);
    }),
  update: (token, { pairing, board }) =>
    whilePaired(token, async (store) => {
      if (pairing) await store.put(pairing, 'pairing');
      if (board) await store.put(board, 'board');
    }),
  forget: async (token) => {
    await whilePaired(token, (store) => store.clear());
  },
};

type Store = ReturnType<typeof storeOf>;

function storeOf(database: IDBPDatabase<KioskSchema>) {
  return database.transaction('facts', 'readwrite').store;
}

/** In one transaction: another tab may have un-paired the tablet, or paired it anew. */
function whilePaired(token: string, work: (store: Store) => Promise<unknown>): Promise<boolean> {
  return withDatabase(async (database) => {
    const store = storeOf(database);
    const pairing = (await store.get('pairing')) as Pairing | undefined;
    const is_same = pairing?.token === token;
    if (is_same) await work(store);
    await store.transaction.done;
    return is_same;
  });
}

/**
 * Opened for each use, so that no idle tab blocks another one's upgrade. Never deleted for a failure: it may be one of a
 * moment, and the tablet would be no kiosk any more.
 */
async function withDatabase<Result>(work: (database: IDBPDatabase<KioskSchema>) => Promise<Result>): Promise<Result> {
  const database = await open();
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

function open(): Promise<IDBPDatabase<KioskSchema>> {
  return openDB<KioskSchema>(NAME, VERSION, {
    upgrade: (database) => void database.createObjectStore('facts'),
  });
}
