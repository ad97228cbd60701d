import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ACTIVITY_EVENTS,
  ACTIVITY_STATES,
  ACTIVITY_TRANSITIONS,
  type ActivityEvent,
  type ActivityState,
  LOCAL_ACTIVITY_STATES,
  LOCAL_ACTIVITY_TRANSITIONS,
  LOCAL_SYNC_PRIORITY,
  nextState,
} from './activity-states.ts';

describe('refusals', () => {
  test.each([
    ['active', 'confirm', 'activity_not_finished'],
    ['active', 'reject', 'activity_not_finished'],
    ['active', 'appeal', 'activity_not_rejected'],
    ['active', 'withdraw', 'activity_not_decided'],
    ['finished', 'finish', 'activity_already_finished'],
    ['finished', 'appeal', 'activity_not_rejected'],
    ['finished', 'withdraw', 'activity_not_decided'],
    ['validated', 'finish', 'activity_already_finished'],
    ['validated', 'reopen', 'activity_already_validated'],
    ['validated', 'confirm', 'activity_already_validated'],
    ['validated', 'reject', 'activity_already_validated'],
    ['validated', 'appeal', 'activity_not_rejected'],
    ['rejected', 'finish', 'activity_already_finished'],
    ['rejected', 'reopen', 'activity_rejected'],
    ['rejected', 'confirm', 'activity_rejected'],
    ['rejected', 'reject', 'activity_rejected'],
    ['rejected', 'edit', 'activity_rejected'],
    ['deleted', 'finish', 'activity_deleted'],
    ['deleted', 'reopen', 'activity_deleted'],
    ['deleted', 'confirm', 'activity_deleted'],
    ['deleted', 'reject', 'activity_deleted'],
    ['deleted', 'edit', 'activity_deleted'],
    ['deleted', 'withdraw', 'activity_deleted'],
    ['deleted', 'appeal', 'activity_deleted'],
  ] as const)('%s refuses %s with %s', (state, event, error) => {
    expect(nextState(state, event)).toEqual({ error });
  });

  test('the second appeal is refused', () => {
    expect(nextState('rejected', 'appeal', { appeal_used: true })).toEqual({ error: 'appeal_used' });
  });

  test('a used appeal changes no other answer', () => {
    for (const state of ACTIVITY_STATES) {
      for (const event of ACTIVITY_EVENTS) {
        if (state === 'rejected' && event === 'appeal') continue;
        expect(nextState(state, event, { appeal_used: true })).toEqual(nextState(state, event));
      }
    }
  });
});

test.each([
  ['active', 'finish', 'finished'],
  ['active', 'reopen', 'active'],
  ['active', 'edit', 'active'],
  ['active', 'delete', 'deleted'],
  ['finished', 'reopen', 'active'],
  ['finished', 'confirm', 'validated'],
  ['finished', 'reject', 'rejected'],
  ['finished', 'edit', 'finished'],
  ['finished', 'delete', 'deleted'],
  ['validated', 'edit', 'finished'],
  ['validated', 'withdraw', 'finished'],
  ['validated', 'delete', 'deleted'],
  ['rejected', 'appeal', 'finished'],
  ['rejected', 'withdraw', 'finished'],
  ['rejected', 'delete', 'deleted'],
  ['deleted', 'delete', 'deleted'],
] as const)('%s + %s = %s', (before, event, after) => {
  expect(nextState(before, event)).toEqual({ state: after });
});

test('the table is whole: every state answers every event', () => {
  expect(Object.keys(ACTIVITY_TRANSITIONS)).toEqual([...ACTIVITY_STATES]);
  for (const row of Object.values(ACTIVITY_TRANSITIONS)) expect(Object.keys(row)).toEqual([...ACTIVITY_EVENTS]);
});

test('in any order of events: deleted is final, only a confirmed finished one is validated, and none that was decided runs again', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom<ActivityEvent>(...ACTIVITY_EVENTS), { maxLength: 30 }), (events) => {
      let state: ActivityState = 'active';
      for (const event of events) {
        const next = nextState(state, event);
        if ('error' in next) continue;
        if (state === 'deleted') expect(next.state).toBe('deleted');
        if (next.state === 'validated') expect([state, event]).toEqual(['finished', 'confirm']);
        if (next.state === 'active') expect(['active', 'finished']).toContain(state);
        state = next.state;
      }
    }),
  );
});

test('on the device pending becomes completed and both become synced, the completed first', () => {
  expect(LOCAL_ACTIVITY_TRANSITIONS.pending).toEqual({ complete: 'completed', reopen: 'pending', sync: 'synced' });
  expect(LOCAL_ACTIVITY_TRANSITIONS.completed).toEqual({ complete: 'completed', reopen: 'pending', sync: 'synced' });
  expect(LOCAL_ACTIVITY_TRANSITIONS.synced).toEqual({ complete: 'completed', reopen: 'pending', sync: 'synced' });
  expect(LOCAL_SYNC_PRIORITY).toEqual({ pending: 1, completed: 2, synced: 0 });
  expect(LOCAL_ACTIVITY_STATES).toEqual(['pending', 'completed', 'synced']);
});
