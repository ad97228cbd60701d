import type { OutboxTransaction } from './database.ts';
import { bySeq, isAccepted, type QueuedMessage } from './queued-message.ts';
import type { QueuedOp, SentItem } from './records.ts';

/** An older backup is of no use to a club; until then, what it lacks can be sent again. */
const SENT_MAX_AGE_MS = 14 * 86_400_000;
export const EPOCH_KEY = 'server';

/**
 * Keeps a copy of what the server has acknowledged, for the case that the server is restored from an older backup. Not
 * for a server that names no epoch.
 */
export async function keepSent(
  transaction: Pick<OutboxTransaction, 'objectStore'>,
  item: Omit<SentItem, 'epoch'>,
): Promise<void> {
  const epoch = await transaction.objectStore('epoch').get(EPOCH_KEY);
  if (epoch !== undefined) await transaction.objectStore('sent').put({ ...item, epoch });
}

/** Saves the server's epoch, and forgets sealed copies that are too old. Returns true if something is to be sent again. */
export async function saveEpoch(transaction: OutboxTransaction, epoch: string, now: number): Promise<boolean> {
  const before = await transaction.objectStore('epoch').get(EPOCH_KEY);
  await transaction.objectStore('epoch').put(epoch, EPOCH_KEY);
  for (const { id, item_count, sealed_at } of await transaction.objectStore('sealed').getAll())
    if (item_count === 0 && now - sealed_at > SENT_MAX_AGE_MS) await transaction.objectStore('sealed').delete(id);
  const is_any_lost = await resendLost(transaction, now);
  if (before !== undefined && before !== epoch) await doubtMessages(transaction);
  return is_any_lost;
}

async function doubtMessages(transaction: OutboxTransaction): Promise<void> {
  const messages = transaction.objectStore('messages');
  // Of what the worker has sent, no copy was kept if the disk was full: it waits again, too.
  for (const { accepted, ...message } of await messages.getAll()) await messages.put({ ...message, is_in_doubt: true });
}

/**
 * Forgets copies that are too old, and queues again what another epoch of the server acknowledged, before everything
 * newer. The server may have it: its ids make the repeat harmless.
 */
export async function resendLost(transaction: OutboxTransaction, now: number): Promise<boolean> {
  for (const { id, sent_at } of await transaction.objectStore('sent').getAll())
    if (now - sent_at > SENT_MAX_AGE_MS) await transaction.objectStore('sent').delete(id);
  const epoch = await transaction.objectStore('epoch').get(EPOCH_KEY);
  const items = await transaction.objectStore('sent').getAll();
  const lost = items.filter((item) => epoch !== undefined && item.epoch !== epoch);
  for (const { id } of lost) await transaction.objectStore('sent').delete(id);
  await restoreOps(
    transaction,
    lost.flatMap(({ op }) => op ?? []),
  );
  const messages = lost.flatMap(({ message }) => message ?? []).sort(bySeq);
  for (const [user_id, own] of Map.groupBy(messages, (message) => message.user_id))
    await restoreMessages(transaction, user_id, own);
  return lost.length > 0;
}

/** The database never assigns a seq twice, so that restored ops keep their place before newer ones. */
export async function restoreOps(transaction: OutboxTransaction, restored: QueuedOp[]): Promise<void> {
  const ops = transaction.objectStore('ops');
  for (const op of restored) if ((await ops.index('op_id').getKey(op.op_id)) === undefined) await ops.put(op);
}

/** Restored messages go before the user's newer ones. Their old numbers may belong to other messages by now. */
export async function restoreMessages(
  transaction: OutboxTransaction,
  user_id: string,
  restored: QueuedMessage[],
): Promise<void> {
  if (restored.length === 0) return;
  const messages = transaction.objectStore('messages');
  // One that the worker sent, and that no page has stored since, is replaced: the server no longer has it.
  const newer = (await messages.index('user_id').getAll(user_id)).filter((row) => !isAccepted(row)).sort(bySeq);
  const known_ids = new Set(newer.map(({ client_id }) => client_id));
  const last = await messages.index('seq').openKeyCursor(null, 'prev');
  let seq = last?.key ?? 0;
  for (const message of [...restored.filter(({ client_id }) => !known_ids.has(client_id)), ...newer]) {
    seq += 1;
    await messages.put({ ...message, seq });
  }
}
