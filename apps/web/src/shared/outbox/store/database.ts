import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from 'idb';
import type { QueuedMessage } from './queued-message.ts';
import type { DeadOp, LocalActivity, QueuedOp, SealedWork, SealingKey, SentItem, WaitingScan } from './records.ts';

export const OUTBOX_NAME = 'sendlap-outbox';
const VERSION = 4;

export interface OutboxSchema extends DBSchema {
  /** Key: seq, assigned by the database. */
  ops: { key: number; value: QueuedOp; indexes: { op_id: string; user_id: string } };
  dead: { key: string; value: DeadOp; indexes: { user_id: string } };
  waiting: { key: string; value: WaitingScan; indexes: { user_id: string } };
  /** Key: the local id. */
  activities: { key: string; value: LocalActivity; indexes: { client_id: string; user_id: string } };
  /** Key: client_id. */
  messages: { key: string; value: QueuedMessage; indexes: { user_id: string; seq: number } };
  /** Key: user id. The public keys of signed-in users. */
  sealing_keys: { key: string; value: SealingKey };
  /** Key: id, assigned by the database. */
  sealed: { key: number; value: SealedWork; indexes: { public_key: string } };
  /** Key: id. What the server has acknowledged in the last 14 days. */
  sent: { key: string; value: SentItem; indexes: { user_id: string } };
  /** One value: the server's epoch, as it named it last. */
  epoch: { key: string; value: string };
  /** Space that is freed first when the disk is full, so that an op can still be saved. */
  ballast: { key: string; value: Blob };
}

export type OutboxDatabase = IDBPDatabase<OutboxSchema>;
export type OutboxTransaction = IDBPTransaction<OutboxSchema, StoreNames<OutboxSchema>[], 'readwrite'>;

/** `onLost`: the connection is closed, by the browser or for another tab's upgrade, and has to be opened again. */
export function openOutboxDatabase(name: string, onLost: () => void): Promise<OutboxDatabase> {
  return openDB<OutboxSchema>(name, VERSION, {
    // This data exists nowhere else: no version may ever drop a store; each version only adds to the previous one.
    upgrade(database, old_version) {
      if (old_version < 1) createFirstVersion(database);
      if (old_version < 2) addMessages(database);
      if (old_version < 3) addSealedWork(database);
      if (old_version < 4) addSent(database);
    },
    blocking(_old_version, _blocked_version, event) {
      (event.target as IDBDatabase).close();
      onLost();
    },
    terminated: onLost,
  });
}

function createFirstVersion(database: OutboxDatabase): void {
  const ops = database.createObjectStore('ops', { keyPath: 'seq', autoIncrement: true });
  ops.createIndex('op_id', 'op_id', { unique: true });
  ops.createIndex('user_id', 'user_id');
  database.createObjectStore('dead', { keyPath: 'op_id' }).createIndex('user_id', 'user_id');
  database.createObjectStore('waiting', { keyPath: 'op_id' }).createIndex('user_id', 'user_id');
  const activities = database.createObjectStore('activities', { keyPath: 'id' });
  activities.createIndex('client_id', 'client_id', { unique: true });
  activities.createIndex('user_id', 'user_id');
  database.createObjectStore('ballast');
}

function addMessages(database: OutboxDatabase): void {
  const messages = database.createObjectStore('messages', { keyPath: 'client_id' });
  messages.createIndex('user_id', 'user_id');
  messages.createIndex('seq', 'seq', { unique: true });
}

function addSealedWork(database: OutboxDatabase): void {
  database.createObjectStore('sealing_keys', { keyPath: 'user_id' });
  const sealed = database.createObjectStore('sealed', { keyPath: 'id', autoIncrement: true });
  sealed.createIndex('public_key', 'public_key');
}

function addSent(database: OutboxDatabase): void {
  database.createObjectStore('sent', { keyPath: 'id' }).createIndex('user_id', 'user_id');
  database.createObjectStore('epoch');
}
