import type { Activity } from '@sendlap/contract/activities.ts';
import type { OutboxTransaction } from './database.ts';
import type { LocalActivity } from './records.ts';
import type { OutboxRows } from './rows.ts';
import { isSynced } from './settle.ts';

/** The server's latest answer about a user's activities. */
export interface ServerWord {
  activities: Activity[];
  /**
   * Set if `activities` are all of the newest ones: the result of `listSynced` from before the request. Any of them
   * that is missing was deleted elsewhere, or is so old that only the history's pages contain it.
   */
  expected?: readonly string[];
}

interface Changes {
  kept: LocalActivity[];
  gone: LocalActivity[];
}

/**
 * Returns how an answer changes the local activities. An op that the server has not yet accepted keeps its activity
 * here.
 */
export function changesBy(rows: Pick<OutboxRows, 'ops' | 'dead' | 'activities'>, word: ServerWord): Changes {
  const said = new Map(word.activities.map((activity) => [activity.client_id, activity]));
  const changes: Changes = { kept: [], gone: [] };
  for (const local of rows.activities) {
    const server = said.get(local.client_id);
    const is_gone = server ? server.status === 'deleted' : word.expected?.includes(local.client_id);
    if (is_gone && isSynced(local, rows)) changes.gone.push(local);
    else if (server && !isSame(server, local.server)) changes.kept.push({ ...local, server });
  }
  return changes;
}

/** Every tab gets the same answer; only the first has something to write. */
function isSame(one: Activity, other: Activity | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export async function noteServer(transaction: OutboxTransaction, user_id: string, word: ServerWord): Promise<void> {
  const ops = await transaction.objectStore('ops').index('user_id').getAll(user_id);
  const dead = await transaction.objectStore('dead').index('user_id').getAll(user_id);
  const store = transaction.objectStore('activities');
  const activities = await store.index('user_id').getAll(user_id);
  const { kept, gone } = changesBy({ ops, dead, activities }, word);
  for (const local of kept) await store.put(local);
  for (const { id } of gone) await store.delete(id);
}
