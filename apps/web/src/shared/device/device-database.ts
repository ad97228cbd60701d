import { type DBSchema, type IDBPDatabase, type IDBPObjectStore, openDB } from 'idb';

const NAME = 'sendlap-device';
const VERSION = 2;
/** The key of the signed-in user among the facts. */
export const USER = 'user';
/** JSON, in place of the user. */
const NO_USER = 'null';
/** Returns whether what the facts hold under the key USER is a signed-in user. */
export const namesUser = (text: string | undefined): boolean => text !== undefined && text !== NO_USER;
/** The key of the session's key. */
export const SESSION = 'session';

/** The key with which one user signs codes on this device. `key` can sign, and is not extractable. */
interface DeviceKey {
  user_id: string;
  key_id: string;
  key: CryptoKey;
}

/** The key by which the server recognises this browser. The private half can sign, and is not extractable. */
export interface SessionKey {
  private_key: CryptoKey;
  public_key: { kty: string; crv: string; x: string; y: string };
}

export interface DeviceSchema extends DBSchema {
  /** Key: user id. */
  keys: { key: string; value: DeviceKey };
  /** Facts about the browser, and the signed-in user as JSON under the key USER; null after a sign-out. */
  facts: { key: string; value: string };
  /** At most one, under the key SESSION. */
  session_keys: { key: string; value: SessionKey };
}

/**
 * Opened for each use, which is rare, so that no idle tab blocks another tab's upgrade. Never deleted on an error: the
 * error may be temporary, and without a network the keys cannot be replaced.
 */
export async function withDeviceDatabase<Result>(
  work: (database: IDBPDatabase<DeviceSchema>) => Promise<Result>,
): Promise<Result> {
  const database = await open();
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

/**
 * Notes that no user is signed in, and deletes the key of the session, too, if `with_key`. On disk once it resolves. The
 * note outlasts marks that a full device refused, and copies that are not yet deleted; without room for it, the user
 * is deleted.
 */
export function forgetUser({ with_key }: { with_key: boolean }): Promise<void> {
  return withDeviceDatabase(async (database) => {
    type Facts = IDBPObjectStore<DeviceSchema, ('session_keys' | 'facts')[], 'facts', 'readwrite'>;
    async function write(forget: (facts: Facts) => Promise<unknown>): Promise<void> {
      const stores: ('session_keys' | 'facts')[] = ['session_keys', 'facts'];
      const transaction = database.transaction(stores, 'readwrite', { durability: 'strict' });
      const deleted = with_key ? transaction.objectStore('session_keys').delete(SESSION) : null;
      await Promise.all([deleted, forget(transaction.objectStore('facts')), transaction.done]);
    }
    await write((facts) => facts.put(NO_USER, USER)).catch(() => write((facts) => facts.delete(USER)));
  });
}

function open(): Promise<IDBPDatabase<DeviceSchema>> {
  return openDB<DeviceSchema>(NAME, VERSION, {
    upgrade(database, old_version) {
      if (old_version < 1) {
        database.createObjectStore('keys', { keyPath: 'user_id' });
        database.createObjectStore('facts');
      }
      database.createObjectStore('session_keys');
    },
  });
}
