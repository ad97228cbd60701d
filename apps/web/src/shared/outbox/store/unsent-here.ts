import { OUTBOX_NAME, openOutboxDatabase } from './database.ts';
import { isOwnStep } from './records.ts';

/** How much waits on this device to be sent, whoever of its users did it; what the server refused does not wait. */
export interface UnsentHere {
  activities: number;
  /** Confirmations of other people's activities. */
  proofs: number;
  messages: number;
}

const NOTHING: UnsentHere = { activities: 0, proofs: 0, messages: 0 };

/** For a page where nobody is signed in. Counts only: whose it is and what it says stays unread. */
export async function countUnsentHere(): Promise<UnsentHere> {
  // A visitor's browser gets no database by being asked.
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
