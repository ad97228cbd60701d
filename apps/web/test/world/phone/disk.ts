import type { User } from '@sendlap/contract/users.ts';
import { IDBFactory } from 'fake-indexeddb';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { type OutboxDatabase, openOutboxDatabase } from '#web/shared/outbox/store/database.ts';
import { createLateStorage } from './late-storage.ts';

/** The session key and the last known user: two databases of the app, in one. */
interface DeviceSchema extends DBSchema {
  keys: { key: string; value: string };
  profiles: { key: string; value: User };
}
export type DeviceDatabase = IDBPDatabase<DeviceSchema>;

/** What a phone has on its disk, or would have soon. */
export function createDisk(now: () => number) {
  const factory = new IDBFactory();

  async function openDatabases(): Promise<{ outbox: OutboxDatabase; device: DeviceDatabase }> {
    globalThis.indexedDB = factory;
    const opening = openOutboxDatabase('outbox', () => {});
    globalThis.indexedDB = factory;
    const device = await openDB<DeviceSchema>('device', 1, {
      upgrade(database) {
        database.createObjectStore('keys');
        database.createObjectStore('profiles');
      },
    });
    return { outbox: await opening, device };
  }

  return { openDatabases, local_storage: createLateStorage(now), cookies: createLateStorage(now) };
}

export type Disk = ReturnType<typeof createDisk>;

/**
 * The connection of one page. At its crash, a transaction that has not committed is undone: IndexedDB is then as its last
 * commit left it.
 */
export function createConnection<Database extends OutboxDatabase | DeviceDatabase>(database: Database) {
  const open_transactions = new Set<{ abort(): void }>();
  const watched = new Proxy(database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== 'transaction' || typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const transaction = value.apply(target, args);
        if (args[1] === 'readwrite') {
          open_transactions.add(transaction);
          const forget = () => void open_transactions.delete(transaction);
          void transaction.done.then(forget, forget);
        }
        return transaction;
      };
    },
  });
  return {
    database: watched,
    /** Returns whether a write was undone. */
    crash(): boolean {
      let is_undone = false;
      for (const transaction of open_transactions) {
        try {
          transaction.abort();
          is_undone = true;
        } catch {
          // It was about to report its commit.
        }
      }
      database.close();
      return is_undone;
    },
  };
}
