import type { User } from '@sendlap/contract/users.ts';
import type { AccessToken } from './access-token.ts';
import { type AuthState, createAuthState } from './auth-state.ts';
import { singleFlight } from './single-flight.ts';
import type { TabChannel } from './tab-channel.ts';
import { isTokenOf, type TokenOwner } from './token-owner.ts';

/** boot.js reads this key to show the right shell before anything else is known. */
const SIGNED_IN_KEY = 'signed-in';
/** Set while a signed-out user's data is being dropped: the key remains if the page is closed before that ends. */
const DROPPING_KEY = 'dropping';

export interface PresenceDeps {
  token: AccessToken;
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  channel: TabChannel;
  /** Reloads the app after another user signed in in another tab. */
  reload: () => void;
  /** Returns whether this tab shows a sign-in page; the provider's callback page is not one. */
  isAtDoor: () => boolean;
}

export type Presence = ReturnType<typeof createPresence>;

/** Sign-ins and sign-outs in this tab. */
export function createPresence(deps: PresenceDeps) {
  const { token, storage } = deps;
  const state = createAuthState();
  const restart = createRestart(deps);
  const leaving = new Set<() => void | Promise<void>>();
  let left_on_purpose = false;
  let last_user_id: string | null = null;
  let changes = 0;

  function welcome(user: User): void {
    changes += 1;
    storage.setItem(SIGNED_IN_KEY, '1');
    left_on_purpose = false;
    last_user_id = user.id;
    state.dispatch({ type: 'set_user', user });
  }

  /** Drops the data of the user who was signed in. */
  const drop = singleFlight(async () => {
    storage.setItem(DROPPING_KEY, '1');
    const results = await Promise.allSettled([...leaving].map(async (listener) => listener()));
    if (results.every(({ status }) => status === 'fulfilled')) storage.removeItem(DROPPING_KEY);
  });

  /** Finishes a drop that a closed page left incomplete, before any data of the next user is kept. */
  async function finishDrop(): Promise<void> {
    if (hasToDrop()) await drop();
  }

  function hasToDrop(): boolean {
    return storage.getItem(DROPPING_KEY) !== null;
  }

  /** Returns whether an athlete was signed in when this browser last ran the app. */
  function wasHere(): boolean {
    return storage.getItem(SIGNED_IN_KEY) !== null;
  }

  /** Ends the session in this tab. A signed-out user is shown the `reason`: no sign-out is silent. */
  async function end(reason?: string): Promise<void> {
    // The session now belongs to another user than this tab shows; the reloaded page will know.
    if (restart.isUnderWay()) return;
    changes += 1;
    token.clear();
    const was_signed_in = state.getState().user !== null || wasHere();
    if (was_signed_in) last_user_id = state.getState().user?.id ?? '';
    storage.removeItem(SIGNED_IN_KEY);
    if (reason !== undefined && was_signed_in && !left_on_purpose) state.dispatch({ type: 'set_error', error: reason });
    state.dispatch({ type: 'set_checking', checking_auth: false });
    state.dispatch({ type: 'logout' });
    await drop();
  }

  /** The user signs out: later failures are not reported, and a pending answer signs the user in no more. */
  function beginLeaving(): void {
    left_on_purpose = true;
    changes += 1;
  }

  function leave(): Promise<void> {
    beginLeaving();
    return end();
  }

  listenToTabs(deps, { state, restart, leave });
  return {
    state,
    owner: createOwner(state, restart),
    welcome,
    drop,
    finishDrop,
    hasToDrop,
    wasHere,
    end,
    beginLeaving,
    leave,
    leftOnPurpose: () => left_on_purpose,
    lastUserId: () => last_user_id,
    /** How often a user signed in or out. */
    changes: () => changes,
    onSignedOut: (listener: () => void | Promise<void>) => void leaving.add(listener),
  };
}

type Restart = ReturnType<typeof createRestart>;

/** Reloads the app, once; until the page is gone it holds no usable token. */
function createRestart({ token, reload }: PresenceDeps) {
  let under_way = false;
  return {
    isUnderWay: () => under_way,
    begin(): void {
      if (under_way) return;
      under_way = true;
      token.clear();
      reload();
    },
  };
}

function createOwner({ getState }: AuthState, restart: Restart): TokenOwner {
  return {
    isForeign(access_token) {
      const { user } = getState();
      return user !== null && !isTokenOf(access_token, user.id);
    },
    startOver() {
      if (getState().checking_auth) return false;
      restart.begin();
      return true;
    },
  };
}

interface Listening {
  state: AuthState;
  restart: Restart;
  leave: () => Promise<void>;
}

/** Handles the messages of the browser's other tabs. */
function listenToTabs({ channel, token, isAtDoor }: PresenceDeps, { state, restart, leave }: Listening): void {
  const owner = createOwner(state, restart);
  channel.listen((message) => {
    const { user, checking_auth } = state.getState();
    // Also for a tab that is still checking its session: it must not end up signed in.
    if (message.type === 'logout' && (user || checking_auth)) void leave();
    // A tab on a sign-in page reloads when the user has signed in in another tab.
    if (!user && message.type === 'signed_in' && isAtDoor()) restart.begin();
    if (!user) return;
    if (message.type === 'signed_in' && user.id !== message.user_id) restart.begin();
    if (message.type === 'user' && user.id === message.user.id)
      state.dispatch({ type: 'set_user', user: message.user });
    if (message.type !== 'token') return;
    if (owner.isForeign(message.access_token)) owner.startOver();
    else token.set(message.access_token, message.expires_in);
  });
}
