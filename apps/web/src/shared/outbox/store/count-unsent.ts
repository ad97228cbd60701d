import { OUTBOX_NAME, openOutboxDatabase } from './database.ts';
import { isAccepted, type QueuedMessage } from './queued-message.ts';
import { isOwnOp, type QueuedOp, type UnsentCounts } from './records.ts';

const NO_UNSENT: UnsentCounts = { activities: 0, proofs: 0, messages: 0 };

export function countUnsentRows({ ops, messages }: { ops: QueuedOp[]; messages: QueuedMessage[] }): UnsentCounts {
  return {
    activities: new Set(ops.filter(isOwnOp).map(({ client_id }) => client_id)).size,
    proofs: ops.filter((op) => !isOwnOp(op)).length,
    messages: messages.filter((message) => message.refused === null && !isAccepted(message)).length,
  };
}

function addCounts(counts: readonly UnsentCounts[]): UnsentCounts {
  return counts.reduce(
    (sum, { activities, proofs, messages }) => ({
      activities: sum.activities + activities,
      proofs: sum.proofs + proofs,
      messages: sum.messages + messages,
    }),
    NO_UNSENT,
  );
}

/** For a page without a signed-in user: of all users of this device. Users and contents stay unread. */
export async function countUnsent(): Promise<UnsentCounts> {
  // Checking must not create a database in a visitor's browser.
  const databases = await indexedDB.databases();
  if (!databases.some(({ name }) => name === OUTBOX_NAME)) return NO_UNSENT;
  const database = await openOutboxDatabase(OUTBOX_NAME, () => {});
  const transaction = database.transaction(['ops', 'messages', 'sealed']);
  const [ops, messages, sealed] = await Promise.all([
    transaction.objectStore('ops').getAll(),
    transaction.objectStore('messages').getAll(),
    transaction.objectStore('sealed').getAll(),
  ]);
  database.close();
  return addCounts([countUnsentRows({ ops, messages }), ...sealed.map(({ counts }) => counts)]);
}
