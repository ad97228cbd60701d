/** Where an activity stands on the server. Its validation is `none` in every state but `validated`. */
export const ACTIVITY_STATES = ['active', 'finished', 'validated', 'rejected', 'deleted'] as const;
export type ActivityState = (typeof ACTIVITY_STATES)[number];

/**
 * `reopen` takes a finish back that nobody has decided about; `edit` is a change of times, distance, intensity, sport or center (other fields are no event);
 * `withdraw` reverses a decision: by a review, or because a competing earlier one wins and follows at once.
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

/** The whole machine, state × event; both sides use it, nobody decides beside it. */
export const ACTIVITY_TRANSITIONS: Record<ActivityState, Record<ActivityEvent, ActivityTransition>> = {
  active: {
    finish: to('finished'),
    // It runs, which is what the owner wants.
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
    // What was proven is no longer what stands there: the edited activity needs a new proof.
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
    // An edit must not be a way around the one appeal.
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
    // Deleting twice is what the owner wanted already.
    delete: to('deleted'),
    withdraw: no('activity_deleted'),
    appeal: no('activity_deleted'),
  },
};

/** What an event does to an activity, or the code of the refusal. An activity may be appealed once in its life. */
export function nextState(
  state: ActivityState,
  event: ActivityEvent,
  history: { appeal_used: boolean } = { appeal_used: false },
): ActivityTransition {
  if (state === 'rejected' && event === 'appeal' && history.appeal_used) return no('appeal_used');
  return ACTIVITY_TRANSITIONS[state][event];
}

/** Where an activity stands on the device (spec, section 4). */
export const LOCAL_ACTIVITY_STATES = ['pending', 'completed', 'synced'] as const;
export type LocalActivityState = (typeof LOCAL_ACTIVITY_STATES)[number];
export type LocalActivityEvent = 'complete' | 'reopen' | 'sync';

/** What is sent first: the higher number. A synced one has nothing to send. */
export const LOCAL_SYNC_PRIORITY: Record<LocalActivityState, number> = { pending: 1, completed: 2, synced: 0 };

/** A start may reach the server before the finish does, so a synced activity can still be completed. */
export const LOCAL_ACTIVITY_TRANSITIONS: Record<LocalActivityState, Record<LocalActivityEvent, LocalActivityState>> = {
  pending: { complete: 'completed', reopen: 'pending', sync: 'synced' },
  completed: { complete: 'completed', reopen: 'pending', sync: 'synced' },
  synced: { complete: 'completed', reopen: 'pending', sync: 'synced' },
};
