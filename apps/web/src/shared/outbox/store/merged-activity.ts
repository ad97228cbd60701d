import type { Activity } from '@sendlap/contract/activities.ts';
import { containsVisit, visitOf } from '@sendlap/domain/recording/overlaps.ts';
import type { OutboxTransaction } from './database.ts';
import { findLocalActivity } from './local-activity.ts';
import type { DeadOp, LocalActivity } from './records.ts';

/** Returns the refused ops of an activity, in the order in which they were saved. */
export async function listRefused(
  transaction: OutboxTransaction,
  { user_id, client_id }: Pick<DeadOp, 'user_id' | 'client_id'>,
): Promise<DeadOp[]> {
  const dead = await transaction.objectStore('dead').index('user_id').getAll(user_id);
  return dead.filter((op) => op.client_id === client_id).sort((a, b) => a.seq - b.seq);
}

type Resolving = Pick<DeadOp, 'op_id' | 'user_id' | 'resolves'>;

/** The activity that was to become part of another one is shown again, for another choice. */
export async function showUnmerged(
  transaction: OutboxTransaction,
  { user_id, resolves }: Resolving,
  marks: Pick<DeadOp, 'had_ended'> = {},
): Promise<void> {
  if (resolves === undefined) return;
  for (const { merged_by, ...op } of await listRefused(transaction, { user_id, client_id: resolves })) {
    if (merged_by) await transaction.objectStore('dead').put({ ...op, ...marks });
  }
}

/**
 * The server has accepted the op: the activity is now part of the other one, `container`. If that does not contain it,
 * because it was finished on the other phone in the meantime, the athlete is asked again.
 */
export async function deleteMerged(
  transaction: OutboxTransaction,
  op: Resolving,
  container: Activity | null,
): Promise<void> {
  if (op.resolves === undefined) return;
  const refused = await listRefused(transaction, { user_id: op.user_id, client_id: op.resolves });
  const merged = refused.filter(({ merged_by }) => merged_by === op.op_id);
  const local = merged.length > 0 ? await findLocalActivity(transaction, op.resolves) : null;
  if (local && container && !isPartOf(local, container)) {
    return showUnmerged(transaction, op, container.ended_at === null ? {} : { had_ended: true });
  }
  for (const { op_id } of merged) await transaction.objectStore('dead').delete(op_id);
  if (local) await transaction.objectStore('activities').delete(local.id);
}

/** One that runs has no distance yet. */
function isPartOf(local: LocalActivity, container: Activity): boolean {
  const is_counted = container.ended_at === null || (container.distance_m ?? 0) >= (local.distance_m ?? 0);
  return is_counted && containsVisit(visitOf(container), visitOf(local));
}
