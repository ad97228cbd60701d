import type { OutboxTransaction } from '../store/database.ts';
import { findLocalActivity } from '../store/local-activity.ts';
import { bySeq, type QueuedMessage } from '../store/queued-message.ts';
import type { ActivityDraft, LocalActivity } from '../store/records.ts';
import type { StoredRows } from '../store/rows.ts';

/** Adds opened rows to those that the user has saved since the sign-in, in the order in which all were saved. */
export async function restoreRows(transaction: OutboxTransaction, rows: StoredRows): Promise<void> {
  const ops = transaction.objectStore('ops');
  // The database never assigns a seq twice, so that opened ops keep their place before newer ones.
  for (const op of rows.ops) {
    if ((await ops.index('op_id').getKey(op.op_id)) === undefined) await ops.put(op);
  }
  for (const op of rows.dead) await transaction.objectStore('dead').put(op);
  for (const scan of rows.waiting) await transaction.objectStore('waiting').put(scan);
  // The newest first, as its notes replace older ones.
  for (const activity of [...rows.activities].reverse()) {
    const newer = await findLocalActivity(transaction, activity.client_id);
    await transaction.objectStore('activities').put(newer ? mergeActivity(activity, newer) : activity);
  }
  await restoreMessages(transaction, rows.messages);
}

/** The user may have gone on with the activity after the sign-in, before the older row was opened. */
function mergeActivity(opened: LocalActivity, newer: LocalActivity): LocalActivity {
  const base = opened.ended_at !== null && newer.ended_at === null ? opened : newer;
  return {
    ...base,
    id: newer.id,
    draft: mergeDrafts(opened.draft, newer.draft),
    server: newer.server ?? opened.server,
  };
}

/** The counter began at 0 again while the earlier lengths were sealed: the longer way is kept. */
function mergeDrafts(opened: ActivityDraft | null, newer: ActivityDraft | null): ActivityDraft | null {
  if (!opened || !newer) return newer ?? opened;
  const { pool_length_m, lengths } = opened;
  return pool_length_m * lengths > newer.pool_length_m * newer.lengths ? { ...newer, pool_length_m, lengths } : newer;
}

/** Opened messages go before the user's newer ones. Their old numbers may belong to other messages by now. */
async function restoreMessages(transaction: OutboxTransaction, opened: QueuedMessage[]): Promise<void> {
  const [first] = opened;
  if (!first) return;
  const messages = transaction.objectStore('messages');
  const newer = (await messages.index('user_id').getAll(first.user_id)).sort(bySeq);
  const known_ids = new Set(newer.map(({ client_id }) => client_id));
  const last = await messages.index('seq').openKeyCursor(null, 'prev');
  let seq = last?.key ?? 0;
  for (const message of [...opened.filter(({ client_id }) => !known_ids.has(client_id)), ...newer]) {
    seq += 1;
    await messages.put({ ...message, seq });
  }
}
