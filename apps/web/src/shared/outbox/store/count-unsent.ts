import { OUTBOX_NAME, openOutboxDatabase } from './database.ts';
import { isOwnOp } from './records.ts';

/** Counts unsent data on this device, of all its users; ops that the server refused do not count. */
export interface UnsentCounts {
  activities: number;
  /** Confirmations of other athletes' activities. */
  proofs: number;
  messages: number;
}

const NO_UNSENT: UnsentCounts = { activities: 0, proofs: 0, messages: 0 };

/** For a page without a signed-in user. Only counts: users and contents stay unread. */
export async function countUnsent(): Promise<UnsentCounts> {
  // Checking must not create a database in a visitor's browser.
  const databases = await indexedDB.databases();
  if (!databases.some(({ name }) => name === OUTBOX_NAME)) return NO_UNSENT;
  const database = await openOutboxDatabase(OUTBOX_NAME, () => {});
  const transaction = database.transaction(['ops', 'messages']);
  const [ops, messages] = await Promise.all([
    transaction.objectStore('ops').getAll(),
    transaction.objectStore('messages').getAll(),
  ]);
  database.close();
  return {
    activities: new Set(ops.filter(isOwnOp).map(({ client_id }) => client_id)).size,
    proofs: ops.filter((op) => !isOwnOp(op)).length,
    messages: messages.filter(({ refused }) => refused === null).length,
  };
}
