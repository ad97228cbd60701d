/** Where a request to become friends stands. Only a pending one waits for anybody. */
export type FriendRequestState = 'pending' | 'accepted' | 'declined' | 'cancelled';

export const FRIEND_REQUEST_ACTIONS = ['accept', 'decline', 'cancel'] as const;
export type FriendRequestAction = (typeof FRIEND_REQUEST_ACTIONS)[number];

/** Who may do it; for the other one there is no such request. */
export const FRIEND_REQUEST_ACTORS: Record<FriendRequestAction, 'sender' | 'receiver'> = {
  accept: 'receiver',
  decline: 'receiver',
  cancel: 'sender',
};

/** `is_repeat`: it was done before, and nothing changes. */
export type FriendRequestTransition =
  | { state: FriendRequestState; is_repeat: boolean }
  | { error: 'friend_request_decided' };

const to = (state: FriendRequestState): FriendRequestTransition => ({ state, is_repeat: false });
const again = (state: FriendRequestState): FriendRequestTransition => ({ state, is_repeat: true });
const no: FriendRequestTransition = { error: 'friend_request_decided' };

/** The whole machine, state × action; both sides use it. A decided request stays as it was decided. */
export const FRIEND_REQUEST_TRANSITIONS: Record<
  FriendRequestState,
  Record<FriendRequestAction, FriendRequestTransition>
> = {
  pending: { accept: to('accepted'), decline: to('declined'), cancel: to('cancelled') },
  accepted: { accept: again('accepted'), decline: no, cancel: no },
  declined: { accept: no, decline: again('declined'), cancel: no },
  cancelled: { accept: no, decline: no, cancel: again('cancelled') },
};
