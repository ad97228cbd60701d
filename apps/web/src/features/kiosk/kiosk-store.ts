import { type DBSchema, type IDBPDatabase, type IDBPObjectStore, openDB } from 'idb';
import type { KioskBoard, Pairing } from './kiosk-state.ts';

const NAME = 'sendlap-kiosk';
const VERSION = 1;

/** A code that was sent; the same key again gives the same answer, should the first one have been lost. */
interface PairingAttempt {
  code: string;
  idempotency_key: string;
}

interface KioskSchema extends DBSchema {
  /** One row of each: `pairing`, `board`, `attempt`. */
  facts: { key: string; value: Pairing | KioskBoard | PairingAttempt };
}

export type KioskStore = typeof kioskStore;

/** What a kiosk keeps, so that it goes on after a reload without network. Every write throws when it fails. */
export const kioskStore = {
  load: () =>
    withDatabase(async (database) => ({
      pairing: ((await database.get('facts', 'pairing')) as Pairing | undefined) ?? null,
      board: ((await database.get('facts', 'board')) as KioskBoard | undefined) ?? null,
    })),
  /** The idempotency key of a code: the same one for the same code until the tablet is paired, also after a crash. */
  keyOfAttempt: (code: string) =>
    withDatabase(async (database) => {
      const { store, done } = database.transaction('facts', 'readwrite');
      const known = (await store.get('attempt')) as PairingAttempt | undefined;
      const attempt = known?.code === code ? known : { code, idempotency_key: crypto.randomUUID() };
      await store.put(attempt, 'attempt');
      await done;
      return attempt.idempotency_key;
    }),
  /** The tablet is this kiosk from now on; what it was before is forgotten. */
  pair: (pairing: Pairing) =>
    withDatabase(async (database) => {
      const { store, done } = database.transaction('facts', 'readwrite');
      await Promise.all([store.clear(), store.put(pairing, 'pairing'), done]);
    }),
  /** New keys, or a new board, of the kiosk of this token. False when the tablet is another one by now, or none. */
  update: (token: string, { pairing, board }: { pairing?: Pairing; board?: KioskBoard }) =>
    whilePaired(token, async (store) => {
      if (pairing) await store.put(pairing, 'pairing');
      if (board) await store.put(board, 'board');
    }),
  /** The tablet is this kiosk no more; one that was paired meanwhile stays. */
  forget: (token: string) => whilePaired(token, (store) => store.clear()),
};

type Store = IDBPObjectStore<KioskSchema, ['facts'], 'facts', 'readwrite'>;

/** In one transaction: another tab may have un-paired the tablet, or paired it anew. */
function whilePaired(token: string, work: (store: Store) => Promise<unknown>): Promise<boolean> {
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
 * Opened for each use, so that no idle tab blocks another one's upgrade. Never deleted for a failure: it may be one of a
 * moment, and the tablet would be no kiosk any more.
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
