import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  FRIEND_REQUEST_ACTIONS,
  FRIEND_REQUEST_ACTORS,
  FRIEND_REQUEST_TRANSITIONS,
  type FriendRequestState,
  type FriendRequestTransition,
} from './friend-requests.ts';

describe('refusals', () => {
  test.each([
    ['accepted', 'decline'],
    ['accepted', 'cancel'],
    ['declined', 'accept'],
    ['declined', 'cancel'],
    ['cancelled', 'accept'],
    ['cancelled', 'decline'],
  ] as const)('%s refuses %s', (state, action) => {
    expect(FRIEND_REQUEST_TRANSITIONS[state][action]).toEqual({ error: 'friend_request_decided' });
  });
});

test.each([
  ['accept', 'accepted'],
  ['decline', 'declined'],
  ['cancel', 'cancelled'],
] as const)('%s makes a pending request %s, and once more changes nothing', (action, state) => {
  expect(FRIEND_REQUEST_TRANSITIONS.pending[action]).toEqual({ state, is_repeat: false });
  expect(FRIEND_REQUEST_TRANSITIONS[state][action]).toEqual({ state, is_repeat: true });
});

test('the receiver answers, the sender withdraws', () => {
  expect(FRIEND_REQUEST_ACTORS).toEqual({ accept: 'receiver', decline: 'receiver', cancel: 'sender' });
});

test('in any order of actions, the first one decides for ever [model]', () => {
  const actions = fc.array(fc.constantFrom(...FRIEND_REQUEST_ACTIONS), { minLength: 1 });
  const decided = { accept: 'accepted', decline: 'declined', cancel: 'cancelled' } as const;
  fc.assert(
    fc.property(actions, (tried) => {
      let state: FriendRequestState = 'pending';
      for (const action of tried) {
        const next: FriendRequestTransition = FRIEND_REQUEST_TRANSITIONS[state][action];
        if ('state' in next) state = next.state;
      }
      expect(state).toBe(decided[tried[0] ?? 'accept']);
    }),
  );
});
