import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

const NAME = 'sendlap-device';
const VERSION = 2;
/** The key of the signed-in user among the facts. */
export const USER = 'user';

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
  /** Facts about the browser, and the signed-in user as JSON under the key USER. */
  facts: { key: string; value: string };
  /** At most one, under the key 'session'. */
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
