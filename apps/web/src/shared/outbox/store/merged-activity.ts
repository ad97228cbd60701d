import type { OutboxTransaction } from './database.ts';
import { findLocalActivity } from './local-activity.ts';
import type { DeadOp } from './records.ts';

/** Returns the refused ops of an activity, in the order in which they were saved. */
export async function listRefused(
  transaction: OutboxTransaction,
  { user_id, client_id }: Pick<DeadOp, 'user_id' | 'client_id'>,
): Promise<DeadOp[]> {
  const dead = await transaction.objectStore('dead').index('user_id').getAll(user_id);
  return dead.filter((op) => op.client_id === client_id).sort((a, b) => a.seq - b.seq);
}

type Resolving = Pick<DeadOp, 'op_id' | 'user_id' | 'resolves'>;

/** The server refused the op: the activity that it was to contain is shown again, for another choice. */
export async function showUnmerged(transaction: OutboxTransaction, { user_id, resolves }: Resolving): Promise<void> {
  if (resolves === undefined) return;
  for (const { merged_by, ...op } of await listRefused(transaction, { user_id, client_id: resolves })) {
    if (merged_by) await transaction.objectStore('dead').put(op);
  }
}

/** The server has accepted the op: the activity is now part of another one. */
export async function deleteMerged(
  transaction: OutboxTransaction,
  { op_id, user_id, resolves }: Resolving,
): Promise<void> {
  if (resolves === undefined) return;
  const refused = await listRefused(transaction, { user_id, client_id: resolves });
  const merged = refused.filter(({ merged_by }) => merged_by === op_id);
  for (const op of merged) await transaction.objectStore('dead').delete(op.op_id);
  const local = merged.length > 0 ? await findLocalActivity(transaction, resolves) : null;
  if (local) await transaction.objectStore('activities').delete(local.id);
}
