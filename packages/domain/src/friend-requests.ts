/** State of a friend request. Only a pending one waits for an answer. */
export type FriendRequestState = 'pending' | 'accepted' | 'declined' | 'cancelled';

export const FRIEND_REQUEST_ACTIONS = ['accept', 'decline', 'cancel'] as const;
export type FriendRequestAction = (typeof FRIEND_REQUEST_ACTIONS)[number];

/** Who may take each action; for the other user the server answers as if the request did not exist. */
export const FRIEND_REQUEST_ACTORS: Record<FriendRequestAction, 'sender' | 'receiver'> = {
  accept: 'receiver',
  decline: 'receiver',
  cancel: 'sender',
};

/** `is_repeat`: the action was done before, so this one is a no-op. */
export type FriendRequestTransition =
  | { state: FriendRequestState; is_repeat: boolean }
  | { error: 'friend_request_decided' };

const moveTo = (state: FriendRequestState): FriendRequestTransition => ({ state, is_repeat: false });
const repeat = (state: FriendRequestState): FriendRequestTransition => ({ state, is_repeat: true });
const already_decided: FriendRequestTransition = { error: 'friend_request_decided' };

/** The full state machine, state × action, shared by client and server. A decided request never changes. */
export const FRIEND_REQUEST_TRANSITIONS: Record<
  FriendRequestState,
  Record<FriendRequestAction, FriendRequestTransition>
> = {
  pending: { accept: moveTo('accepted'), decline: moveTo('declined'), cancel: moveTo('cancelled') },
  accepted: { accept: repeat('accepted'), decline: already_decided, cancel: already_decided },
  declined: { accept: already_decided, decline: repeat('declined'), cancel: already_decided },
  cancelled: { accept: already_decided, decline: already_decided, cancel: repeat('cancelled') },
};
