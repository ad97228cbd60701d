import { OUTBOX_NAME, openOutboxDatabase } from './database.ts';
import { isOwnStep } from './records.ts';

/** Counts unsent data on this device, of all its users; ops that the server refused do not count. */
export interface UnsentHere {
  activities: number;
  /** Confirmations of other athletes' activities. */
  proofs: number;
  messages: number;
}

const NOTHING: UnsentHere = { activities: 0, proofs: 0, messages: 0 };

/** For a page without a signed-in user. Only counts: users and contents stay unread. */
export async function countUnsentHere(): Promise<UnsentHere> {
  // Checking must not create a database in a visitor's browser.
  const databases = await indexedDB.databases();
  if (!databases.some(({ name }) => name === OUTBOX_NAME)) return NOTHING;
  const database = await openOutboxDatabase(OUTBOX_NAME, () => {});
  const transaction = database.transaction(['ops', 'messages']);
  const [ops, messages] = await Promise.all([
    transaction.objectStore('ops').getAll(),
    transaction.objectStore('messages').getAll(),
  ]);
  database.close();
  return {
    activities: new Set(ops.filter(isOwnStep).map(({ client_id }) => client_id)).size,
    proofs: ops.filter((op) => !isOwnStep(op)).length,
    messages: messages.filter(({ refused }) => refused === null).length,
  };
}
