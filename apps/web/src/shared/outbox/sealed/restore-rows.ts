import { endPause, type Pause } from '@sendlap/domain/recording/pauses.ts';
import type { OutboxTransaction } from '../store/database.ts';
import { findLocalActivity } from '../store/local-activity.ts';
import type { ActivityDraft, LocalActivity } from '../store/records.ts';
import type { StoredRows } from '../store/rows.ts';
import { restoreMessages, restoreOps } from '../store/sent.ts';

/** Adds opened rows to those that the user has saved since the sign-in, in the order in which all were saved. */
export async function restoreRows(transaction: OutboxTransaction, rows: StoredRows): Promise<void> {
  await restoreOps(transaction, rows.ops);
  for (const op of rows.dead) await transaction.objectStore('dead').put(op);
  for (const scan of rows.waiting) await transaction.objectStore('waiting').put(scan);
  // The newest first, as its notes replace older ones.
  for (const activity of [...rows.activities].reverse()) {
    const newer = await findLocalActivity(transaction, activity.client_id);
    await transaction.objectStore('activities').put(newer ? mergeActivity(activity, newer) : activity);
  }
  const [message] = rows.messages;
  if (message) await restoreMessages(transaction, message.user_id, rows.messages);
  for (const item of rows.sent) await transaction.objectStore('sent').put(item);
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

/** Keeps the pauses of both. */
function mergeDrafts(opened: ActivityDraft | null, newer: ActivityDraft | null): ActivityDraft | null {
  if (!opened || !newer) return newer ?? opened;
  const pauses = mergePauses(opened.pauses ?? [], newer.pauses ?? []);
  const counted = mergeLengths(opened, newer);
  return pauses.length > 0 ? { ...counted, pauses } : counted;
}

/** The counter began at 0 again while the earlier lengths were sealed: the longer way is kept. */
function mergeLengths({ pool_length_m, lengths }: ActivityDraft, newer: ActivityDraft): ActivityDraft {
  return pool_length_m * lengths > newer.pool_length_m * newer.lengths ? { ...newer, pool_length_m, lengths } : newer;
}

/** An athlete who paused again after the sign-in had ended the earlier pause. */
function mergePauses(opened: readonly Pause[], newer: readonly Pause[]): Pause[] {
  const [next] = newer;
  return (next ? endPause(opened, next.since) : [...opened]).concat(newer);
}
