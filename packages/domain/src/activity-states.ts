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

const to = (state: ActivityState): ActivityTransition => ({ state });
const no = (error: ActivityRefusal): ActivityTransition => ({ error });

/** The whole machine, state × event; client and server both use it and have no other rules. */
export const ACTIVITY_TRANSITIONS: Record<ActivityState, Record<ActivityEvent, ActivityTransition>> = {
  active: {
    finish: to('finished'),
    // The activity already runs, as the athlete wants.
    reopen: to('active'),
    confirm: no('activity_not_finished'),
    reject: no('activity_not_finished'),
    edit: to('active'),
    delete: to('deleted'),
    withdraw: no('activity_not_decided'),
    appeal: no('activity_not_rejected'),
  },
  finished: {
    finish: no('activity_already_finished'),
    reopen: to('active'),
    confirm: to('validated'),
    reject: to('rejected'),
    edit: to('finished'),
    delete: to('deleted'),
    withdraw: no('activity_not_decided'),
    appeal: no('activity_not_rejected'),
  },
  validated: {
    finish: no('activity_already_finished'),
    reopen: no('activity_already_validated'),
    confirm: no('activity_already_validated'),
    reject: no('activity_already_validated'),
    // The proof was for other facts: the edited activity needs a new one.
    edit: to('finished'),
    delete: to('deleted'),
    withdraw: to('finished'),
    appeal: no('activity_not_rejected'),
  },
  rejected: {
    finish: no('activity_already_finished'),
    reopen: no('activity_rejected'),
    confirm: no('activity_rejected'),
    reject: no('activity_rejected'),
    // An edit must not bypass the single appeal.
    edit: no('activity_rejected'),
    delete: to('deleted'),
    withdraw: to('finished'),
    appeal: to('finished'),
  },
  deleted: {
    finish: no('activity_deleted'),
    reopen: no('activity_deleted'),
    confirm: no('activity_deleted'),
    reject: no('activity_deleted'),
    edit: no('activity_deleted'),
    // Deleting twice is a no-op.
    delete: to('deleted'),
    withdraw: no('activity_deleted'),
    appeal: no('activity_deleted'),
  },
};

/** Returns the result of an event on an activity, or the refusal's code. An activity may be appealed once ever. */
export function nextState(
  state: ActivityState,
  event: ActivityEvent,
  history: { appeal_used: boolean } = { appeal_used: false },
): ActivityTransition {
  if (state === 'rejected' && event === 'appeal' && history.appeal_used) return no('appeal_used');
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
