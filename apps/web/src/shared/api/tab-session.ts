import type { User } from '@sendlap/contract/users.ts';
import type { AccessToken } from './access-token.ts';
import { type AuthState, createAuthState } from './auth-state.ts';
import type { SessionChannel } from './session-channel.ts';
import { singleFlight } from './single-flight.ts';
import { isTokenOf, type TokenOwner } from './token-owner.ts';

/** boot.js reads this key to show the right shell before anything else is known. */
const SIGNED_IN_KEY = 'signed-in';
/** Set while a signed-out user's data is being dropped: the key remains if the page is closed before that ends. */
const DROPPING_KEY = 'dropping';
/** Its value after a sign-out on purpose. */
const INTENDED = 'intended';

export interface TabSessionDeps {
  token: AccessToken;
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  channel: SessionChannel;
  /** Called with the server's epoch (the life of its database), when another tab has received it. */
  onEpoch?: (epoch: string) => void;
  /** Reloads the app after another user signed in in another tab. */
  reload: () => void;
  /** Returns whether this tab shows a sign-in page; the provider's callback page is not one. */
  isOnSignInPage: () => boolean;
}

/**
 * Drops what this tab holds of a user. May return, or resolve to, a function that drops what all tabs share: it is not
 * called if a user has signed in since.
 */
export type SignOutListener = () => unknown;

export type TabSession = ReturnType<typeof createTabSession>;

/** Sign-ins and sign-outs in this tab. */
export function createTabSession(deps: TabSessionDeps) {
  const { token, storage } = deps;
  const state = createAuthState();
  const restart = createRestart(deps);
  const sign_in = createSignInMark(storage);
  const drop = createDropMark(storage);
  const signOutListeners = new Set<SignOutListener>();
  let sign_out_intended = false;
  let last_user_id: string | null = null;
  let change_count = 0;

  function markSignedIn(user: User): void {
    change_count += 1;
    sign_in.begin();
    sign_out_intended = false;
    // An earlier drop failed and is still due. Whether that sign-out was intended says nothing about this session's end.
    if (drop.isPending()) drop.begin(false);
    last_user_id = user.id;
    state.dispatch({ type: 'set_user', user });
  }

  /** Shows the last known user of this device until the server answers. */
  function showKnownUser(user: User): void {
    sign_in.begin();
    state.dispatch({ type: 'set_user', user });
  }

  /** Drops the data of the user who was signed in. */
  const dropUserData = singleFlight(async () => {
    drop.begin(wasSignOutIntended());
    if (await callListeners([...signOutListeners], sign_in)) drop.end();
  });

  /** Finishes a drop that a closed page left incomplete, before any data of the next user is stored. */
  const finishDroppingUserData = () => (drop.isPending() ? dropUserData() : Promise.resolve());

  /** Also true on the next page, if the page of the sign-out was closed before the data was dropped. */
  const wasSignOutIntended = () => sign_out_intended || drop.isIntended();

  /** Ends the session in this tab. A signed-out user is shown the `reason`: no sign-out is silent. */
  async function end(reason?: string): Promise<void> {
    // The session now belongs to another user than this tab shows; the reloaded page will know.
    if (restart.isInProgress()) return;
    change_count += 1;
    token.clear();
    const was_signed_in = state.getState().user !== null || sign_in.id() !== null;
    if (was_signed_in) last_user_id = state.getState().user?.id ?? '';
    sign_in.end();
    if (reason !== undefined && was_signed_in && !sign_out_intended)
      state.dispatch({ type: 'set_error', error: reason });
    state.dispatch({ type: 'set_checking', checking_auth: false });
    state.dispatch({ type: 'logout' });
    await dropUserData();
  }

  /** Called when the user signs out: later failures are not reported, and a pending answer no longer signs the user in. */
  function beginSignOut(): void {
    sign_out_intended = true;
    change_count += 1;
  }

  function signOutHere(): Promise<void> {
    beginSignOut();
    return end();
  }

  listenToTabs(deps, { state, restart, signOutHere, sign_in });
  return {
    state,
    owner: createTokenOwner(state, restart),
    restart,
    markSignedIn,
    showKnownUser,
    dropUserData,
    finishDroppingUserData,
    drop,
    sign_in,
    end,
    beginSignOut,
    signOutHere,
    wasSignOutIntended,
    lastUserId: () => last_user_id,
    /** How often a user signed in or out. */
    changeCount: () => change_count,
    onSignedOut: (listener: SignOutListener) => void signOutListeners.add(listener),
  };
}

/** Returns whether all listeners have dropped all of their data. */
async function callListeners(listeners: SignOutListener[], sign_in: SignInMark): Promise<boolean> {
  const ended_id = sign_in.id();
  const results = await Promise.allSettled(
    listeners.map(async (listener) => {
      const dropShared = await listener();
      // While a slow listener ran, a user may have signed in in another tab: that user's data must stay.
      const is_over = sign_in.id() !== null && sign_in.id() !== ended_id;
      if (typeof dropShared !== 'function') return true;
      if (!is_over) await dropShared();
      return !is_over;
    }),
  );
  return results.every((result) => result.status === 'fulfilled' && result.value);
}

/** Returns whether a user is signed in in this browser, as far as this device knows. */
export function hasSignedInUser(storage: Pick<Storage, 'getItem'>): boolean {
  return storage.getItem(SIGNED_IN_KEY) !== null;
}

type SignInMark = ReturnType<typeof createSignInMark>;

/** Marks that a user is signed in in this browser, by an id that differs after each sign-out. */
function createSignInMark(storage: TabSessionDeps['storage']) {
  const id = () => storage.getItem(SIGNED_IN_KEY);
  let own: string | null = null;
  return {
    /** Returns null if no user was signed in when this browser last ran the app. */
    id,
    begin(): void {
      if (id() === null) storage.setItem(SIGNED_IN_KEY, crypto.randomUUID());
      own = id();
    },
    /**
     * Returns whether a user has signed in since the session with the id `ended`. An id that this tab has made does not
     * count: without storage, each tab has an id of its own.
     */
    hasBegunSince(ended: string | null): boolean {
      const current = id();
      return current !== null && ended !== null && current !== ended && current !== own;
    },
    end: () => storage.removeItem(SIGNED_IN_KEY),
  };
}

/** Marks that a signed-out user's data is being dropped, also for the next page. */
function createDropMark(storage: TabSessionDeps['storage']) {
  return {
    isPending: () => storage.getItem(DROPPING_KEY) !== null,
    isIntended: () => storage.getItem(DROPPING_KEY) === INTENDED,
    begin: (is_intended: boolean) => storage.setItem(DROPPING_KEY, is_intended ? INTENDED : '1'),
    end: () => storage.removeItem(DROPPING_KEY),
  };
}

type Restart = ReturnType<typeof createRestart>;

/** Reloads the app, once; until the page is gone it holds no usable token. */
function createRestart({ token, channel, reload }: TabSessionDeps) {
  let in_progress = false;
  let signed_in_elsewhere: string | null = null;
  channel.listen((message) => {
    if (message.type === 'signed_in') signed_in_elsewhere = message.user_id;
  });
  return {
    isInProgress: () => in_progress,
    /** Whether another user than this one has signed in in another tab, while this one starts. */
    isDueFor: (user_id: string) => signed_in_elsewhere !== null && signed_in_elsewhere !== user_id,
    begin(): void {
      if (in_progress) return;
      in_progress = true;
      token.clear();
      reload();
    },
  };
}

function createTokenOwner({ getState }: AuthState, restart: Restart): TokenOwner {
  return {
    isForeign(access_token) {
      const { user } = getState();
      return user !== null && !isTokenOf(access_token, user.id);
    },
    requestReload() {
      if (getState().checking_auth) return false;
      restart.begin();
      return true;
    },
  };
}

interface TabListenerDeps {
  state: AuthState;
  restart: Restart;
  signOutHere: () => Promise<void>;
  sign_in: SignInMark;
}

/** Handles the messages of the browser's other tabs. */
function listenToTabs(
  { channel, token, isOnSignInPage, onEpoch }: TabSessionDeps,
  { state, restart, signOutHere, sign_in }: TabListenerDeps,
): void {
  const owner = createTokenOwner(state, restart);
  channel.listen((message) => {
    const { user, checking_auth } = state.getState();
    // A tab that is still checking its session signs out too: otherwise the check would sign it in.
    if (message.type === 'logout' && (user || checking_auth)) {
      // A frozen tab gets the message late: if a user has signed in since, that user's data must stay.
      if (sign_in.hasBegunSince(message.sign_in_id)) restart.begin();
      else void signOutHere();
    }
    // A tab on a sign-in page reloads when the user has signed in in another tab.
    if (!user && message.type === 'signed_in' && isOnSignInPage()) restart.begin();
    if (!user) return;
    if (message.type === 'signed_in' && user.id !== message.user_id) restart.begin();
    if (message.type === 'user' && user.id === message.user.id)
      state.dispatch({ type: 'set_user', user: message.user });
    if (message.type !== 'token') return;
    if (owner.isForeign(message.access_token)) return void owner.requestReload();
    // Before the token is used: after a restore of the server, data must be sent again before newer work that needs it.
    if (message.epoch) onEpoch?.(message.epoch);
    token.set(message.access_token, message.expires_in);
  });
}
