import type { Op } from '@sendlap/contract/activities.ts';
import { type CorrectedTimes, discardDead, retryDead } from './apply-results.ts';
import type { OutboxTransaction } from './database.ts';
import { createLocalActivity, findLocalActivity, reopenLocally } from './local-activity.ts';
import { listRefused } from './merged-activity.ts';
import type { ActivityDraft, ActivityFacts, DeadOp } from './records.ts';
import { type NewOp, saveDraft, saveOp } from './save-op.ts';

/** The athlete's choice for a refused activity that overlaps others. */
export interface OverlapResolution {
  /** Ops of the other activities. */
  ops: { op: Op; facts: ActivityFacts }[];
  /** null: the refused activity becomes part of another one. Else it is sent again, with these times. */
  resend: CorrectedTimes | null;
  /** The notes of the refused activity go on in the activity that contains it and runs. */
  draft?: { client_id: string; facts: ActivityFacts; draft: ActivityDraft } | undefined;
}

type Context = Pick<NewOp, 'now' | 'random' | 'clock'> & { newId: () => string };

/**
 * Saves the choice in one transaction. An activity that becomes part of another one stays here until the server has
 * accepted that. Returns false, and writes nothing, if it was resolved before, in another tab.
 */
export async function resolveOverlap(
  transaction: OutboxTransaction,
  refused: Pick<DeadOp, 'user_id' | 'client_id'>,
  { ops, resend, draft }: OverlapResolution,
  { newId, ...context }: Context,
): Promise<boolean> {
  const dead = await listRefused(transaction, refused);
  if (dead.length === 0 || dead.some(({ merged_by }) => merged_by)) return false;
  const { user_id, client_id: resolves } = refused;
  for (const { op, facts } of ops) {
    if (op.kind === 'reopen') await runAgain(transaction, { ...context, user_id, op, facts });
    await saveOp(transaction, { ...context, user_id, op, facts, resolves });
  }
  if (draft) await saveDraft(transaction, { ...context, user_id, ...draft });
  const merged_by = ops.at(-1)?.op.op_id;
  if (resend) await retryDead(transaction, refused, { now: context.now, newId, times: resend });
  else if (merged_by === undefined) await discardDead(transaction, refused);
  else for (const op of dead) await transaction.objectStore('dead').put({ ...op, merged_by });
  return true;
}

type Reopening = Pick<NewOp, 'user_id' | 'op' | 'now' | 'random'> & { facts: ActivityFacts };

/** Shows the activity as running at once. */
async function runAgain(transaction: OutboxTransaction, { op: { client_id }, ...about }: Reopening): Promise<void> {
  const local =
    (await findLocalActivity(transaction, client_id)) ?? createLocalActivity({ ...about, client_id, status: 'synced' });
  await transaction.objectStore('activities').put(reopenLocally(local, about.facts));
}
