/** The state of an activity on the server. Its validation is `none` in every state except `validated`. */
export const ACTIVITY_STATES = ['active', 'finished', 'validated', 'rejected', 'deleted'] as const;
export type ActivityState = (typeof ACTIVITY_STATES)[number];

/**
 * `reopen` undoes a finish without a decision; `edit` changes times, distance, intensity, sport or center (other fields
 * are no event); `withdraw` reverses a decision: by a review, or because a competing earlier one wins and follows at
 * once.
 */
export const ACTIVITY_EVENTS = [
  'finish',
  'reopen',
  'confirm',
  'reject',
  'edit',
  'delete',
  'withdraw',
  'appeal',
] as const;
export type ActivityEvent = (typeof ACTIVITY_EVENTS)[number];

export type ActivityRefusal =
  | 'activity_not_finished'
  | 'activity_already_finished'
  | 'activity_already_validated'
  | 'activity_rejected'
  | 'activity_deleted'
  | 'activity_not_decided'
  | 'activity_not_rejected'
  | 'appeal_used';

export type ActivityTransition = { state: ActivityState } | { error: ActivityRefusal };

const moveTo = (state: ActivityState): ActivityTransition => ({ state });
const refuse = (error: ActivityRefusal): ActivityTransition => ({ error });

/** The whole machine, state × event; client and server both use it and have no other rules. */
export const ACTIVITY_TRANSITIONS: Record<ActivityState, Record<ActivityEvent, ActivityTransition>> = {
  active: {
    finish: moveTo('finished'),
    // The activity already runs, as the athlete wants.
    reopen: moveTo('active'),
    confirm: refuse('activity_not_finished'),
    reject: refuse('activity_not_finished'),
    edit: moveTo('active'),
    delete: moveTo('deleted'),
    withdraw: refuse('activity_not_decided'),
    appeal: refuse('activity_not_rejected'),
  },
  finished: {
    finish: refuse('activity_already_finished'),
    reopen: moveTo('active'),
    confirm: moveTo('validated'),
    reject: moveTo('rejected'),
    edit: moveTo('finished'),
    delete: moveTo('deleted'),
    withdraw: refuse('activity_not_decided'),
    appeal: refuse('activity_not_rejected'),
  },
  validated: {
    finish: refuse('activity_already_finished'),
    reopen: refuse('activity_already_validated'),
    confirm: refuse('activity_already_validated'),
    reject: refuse('activity_already_validated'),
    // The proof was for other facts: the edited activity needs a new one.
    edit: moveTo('finished'),
    delete: moveTo('deleted'),
    withdraw: moveTo('finished'),
    appeal: refuse('activity_not_rejected'),
  },
  rejected: {
    finish: refuse('activity_already_finished'),
    reopen: refuse('activity_rejected'),
    confirm: refuse('activity_rejected'),
    reject: refuse('activity_rejected'),
    // An edit must not bypass the single appeal.
    edit: refuse('activity_rejected'),
    delete: moveTo('deleted'),
    withdraw: moveTo('finished'),
    appeal: moveTo('finished'),
  },
  deleted: {
    finish: refuse('activity_deleted'),
    reopen: refuse('activity_deleted'),
    confirm: refuse('activity_deleted'),
    reject: refuse('activity_deleted'),
    edit: refuse('activity_deleted'),
    // Deleting twice is a no-op.
    delete: moveTo('deleted'),
    withdraw: refuse('activity_deleted'),
    appeal: refuse('activity_deleted'),
  },
};

/** Returns the result of an event on an activity, or the refusal's code. An activity may be appealed once ever. */
export function nextState(
  state: ActivityState,
  event: ActivityEvent,
  history: { appeal_used: boolean } = { appeal_used: false },
): ActivityTransition {
  if (state === 'rejected' && event === 'appeal' && history.appeal_used) return refuse('appeal_used');
  return ACTIVITY_TRANSITIONS[state][event];
}

/** The state of an activity on the device (spec, section 4). */
export const LOCAL_ACTIVITY_STATES = ['pending', 'completed', 'synced'] as const;
export type LocalActivityState = (typeof LOCAL_ACTIVITY_STATES)[number];
export type LocalActivityEvent = 'complete' | 'reopen' | 'sync';

/** Activities with a higher number are sent first. A synced one has nothing to send. */
export const LOCAL_SYNC_PRIORITY: Record<LocalActivityState, number> = { pending: 1, completed: 2, synced: 0 };

/** The server may get a start before the finish, so a synced activity can still be completed. */
export const LOCAL_ACTIVITY_TRANSITIONS: Record<LocalActivityState, Record<LocalActivityEvent, LocalActivityState>> = {
  pending: { complete: 'completed', reopen: 'pending', sync: 'synced' },
  completed: { complete: 'completed', reopen: 'pending', sync: 'synced' },
  synced: { complete: 'completed', reopen: 'pending', sync: 'synced' },
};
