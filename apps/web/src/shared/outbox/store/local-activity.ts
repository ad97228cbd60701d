import type { Activity, Op } from '@sendlap/contract/activities.ts';
import {
  LOCAL_ACTIVITY_TRANSITIONS,
  LOCAL_SYNC_PRIORITY,
  type LocalActivityEvent,
  type LocalActivityState,
} from '@sendlap/domain/activity-states.ts';
import type { OutboxTransaction } from './database.ts';
import type { ActivityFacts, FinishUndo, LocalActivity } from './records.ts';

export interface NewLocalActivity {
  facts: ActivityFacts;
  client_id: string;
  user_id: string;
  /** ms epoch */
  now: number;
  random: string;
  status: LocalActivityState;
}

export function createLocalActivity({
  facts,
  client_id,
  user_id,
  now,
  random,
  status,
}: NewLocalActivity): LocalActivity {
  return {
    ...facts,
    id: `offline_${now}_${random}`,
    client_id,
    user_id,
    ended_at: null,
    distance_m: null,
    status,
    sync_priority: LOCAL_SYNC_PRIORITY[status],
    created_at: new Date(now).toISOString(),
    draft: null,
    server: null,
  };
}

function advance(activity: LocalActivity, event: LocalActivityEvent): LocalActivity {
  const status = LOCAL_ACTIVITY_TRANSITIONS[activity.status][event];
  return { ...activity, status, sync_priority: LOCAL_SYNC_PRIORITY[status] };
}

/** Returns the activity after its finish was saved on this device. */
export function completeLocally(activity: LocalActivity, op: Extract<Op, { kind: 'finish' }>): LocalActivity {
  return {
    ...advance(activity, 'complete'),
    ended_at: op.ended_at,
    paused_s: op.paused_s,
    intensity: op.intensity ?? activity.intensity,
    distance_m: op.distance_m ?? null,
  };
}

/** Returns the activity after its finish was undone on this device. */
export function reopenLocally(activity: LocalActivity, { intensity }: Pick<FinishUndo, 'intensity'>): LocalActivity {
  return {
    ...advance(activity, 'reopen'),
    ended_at: null,
    paused_s: undefined,
    intensity,
    distance_m: null,
    undo: undefined,
  };
}

/** Returns the activity after the server accepted an op; `is_last`: no other op of it is queued here. */
export function markSynced(
  activity: LocalActivity,
  server: Activity | null,
  { is_last, now }: { is_last: boolean; now: number },
): LocalActivity {
  const updated = server ? { ...activity, server, acked_at: now } : activity;
  return is_last ? advance(updated, 'sync') : updated;
}

/**
 * Returns the trace of an activity whose deletion the server accepted. It hides copies of the activity, until a list of
 * the server comes without it.
 */
export function markDeleted(
  local: LocalActivity | null,
  server: Activity,
  { user_id, now, op_id }: { user_id: string; now: number; op_id: string },
): LocalActivity {
  const { client_id, sport_center_id, sport_center_name, sport_type, started_at, intensity } = server;
  const facts = { sport_center_id, sport_center_name, sport_type, started_at, intensity };
  const activity = local ?? createLocalActivity({ facts, client_id, user_id, now, random: op_id, status: 'synced' });
  return { ...advance(activity, 'sync'), draft: null, undo: undefined, server, acked_at: now };
}

export async function findLocalActivity(
  transaction: OutboxTransaction,
  client_id: string,
): Promise<LocalActivity | null> {
  return (await transaction.objectStore('activities').index('client_id').get(client_id)) ?? null;
}
