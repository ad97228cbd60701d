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
  let is_full = false;

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

  return {
    openDatabases,
    /** Runs work that opens a database by itself, at once. */
    use<Value>(work: () => Value): Value {
      globalThis.indexedDB = factory;
      return work();
    },
    local_storage: createLateStorage(now),
    cookies: createLateStorage(now),
    isFull: () => is_full,
    setFull(next: boolean): void {
      is_full = next;
    },
  };
}

export type Disk = ReturnType<typeof createDisk>;

interface Transaction {
  abort(): void;
  done: Promise<void>;
}

/** What fails of a transaction while the disk is full: nothing can be added, and it can still delete. */
function refuseAdditions(transaction: Transaction): Transaction {
  async function refuse(): Promise<never> {
    transaction.abort();
    throw new DOMException('The disk is full', 'QuotaExceededError');
  }
  function wrap<Target extends object>(target: Target): Target {
    return new Proxy(target, {
      get(_, name) {
        if (name === 'put' || name === 'add') return refuse;
        const value: unknown = Reflect.get(target, name, target);
        if (name === 'store') return wrap(value as object);
        if (name === 'objectStore')
          return (store: string) => wrap((value as (name: string) => object).call(target, store));
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }
  return wrap(transaction);
}

/**
 * The connection of one page. At its crash, a transaction that has not committed is undone: IndexedDB is then as its last
 * commit left it.
 */
export function createConnection<Database extends OutboxDatabase | DeviceDatabase>(
  database: Database,
  isFull: () => boolean,
) {
  const open_transactions = new Set<Transaction>();
  const watched = new Proxy(database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== 'transaction' || typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const transaction = value.apply(target, args);
        if (args[1] !== 'readwrite') return transaction;
        open_transactions.add(transaction);
        const forget = () => void open_transactions.delete(transaction);
        void transaction.done.then(forget, forget);
        return isFull() ? refuseAdditions(transaction) : transaction;
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
