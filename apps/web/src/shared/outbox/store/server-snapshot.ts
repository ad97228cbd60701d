import type { Activity } from '@sendlap/contract/activities.ts';
import { isSynced } from './apply-results.ts';
import type { OutboxTransaction } from './database.ts';
import type { LocalActivity } from './records.ts';
import type { OutboxRows } from './rows.ts';

/** The server's latest answer about a user's activities. */
export interface ServerSnapshot {
  activities: Activity[];
  /**
   * Set if `activities` are all of the newest ones: the result of `listSynced` from before the request. Any of them
   * that is missing was deleted elsewhere, or is so old that only the history's pages contain it.
   */
  expected_ids?: readonly string[];
}

interface ServerDiff {
  updated: LocalActivity[];
  removed: LocalActivity[];
}

/**
 * Returns how an answer changes the local activities. An op that the server has not yet accepted keeps its activity
 * here.
 */
export function diffAgainstServer(
  rows: Pick<OutboxRows, 'ops' | 'dead' | 'activities'>,
  snapshot: ServerSnapshot,
): ServerDiff {
  const server_activities = new Map(snapshot.activities.map((activity) => [activity.client_id, activity]));
  const diff: ServerDiff = { updated: [], removed: [] };
  for (const local of rows.activities) {
    const server = server_activities.get(local.client_id);
    const is_removed = server ? server.status === 'deleted' : snapshot.expected_ids?.includes(local.client_id);
    if (is_removed && isSynced(local, rows)) diff.removed.push(local);
    else if (server && !isSame(server, local.server)) diff.updated.push({ ...local, server });
  }
  return diff;
}

/** Every tab gets the same answer; only the first has something to write. */
function isSame(one: Activity, other: Activity | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export async function applyServerSnapshot(
  transaction: OutboxTransaction,
  user_id: string,
  snapshot: ServerSnapshot,
): Promise<void> {
  const ops = await transaction.objectStore('ops').index('user_id').getAll(user_id);
  const dead = await transaction.objectStore('dead').index('user_id').getAll(user_id);
  const store = transaction.objectStore('activities');
  const activities = await store.index('user_id').getAll(user_id);
  const { updated, removed } = diffAgainstServer({ ops, dead, activities }, snapshot);
  for (const local of updated) await store.put(local);
  for (const { id } of removed) await store.delete(id);
}
