/** A token counts as expired this long before its real expiry. */
export const TOKEN_EXPIRY_MARGIN_MS = 30_000;
/** How often a signed-in app checks that its token is still valid. */
export const SESSION_CHECK_INTERVAL_MS = 900_000;

/** Auth state (spec, section 3); the contract defines the user's shape. */
export interface SessionState<User> {
  user: User | null;
  loading: boolean;
  error: string | null;
  /** True while start-up asks the server who is signed in. */
  checking_auth: boolean;
}

export type SessionAction<User> =
  | { type: 'set_loading'; loading: boolean }
  | { type: 'set_checking'; checking_auth: boolean }
  | { type: 'set_user'; user: User | null }
  | { type: 'set_error'; error: string }
  | { type: 'clear_error' }
  | { type: 'logout' };

/** Before the session check: it is unknown whether a user is signed in. */
export const INITIAL_SESSION: SessionState<never> = { user: null, loading: false, error: null, checking_auth: true };

/** Returns the auth state after an action (spec, section 4). */
export function sessionReducer<User>(state: SessionState<User>, action: SessionAction<User>): SessionState<User> {
  switch (action.type) {
    case 'set_loading':
      return { ...state, loading: action.loading };
    case 'set_checking':
      return { ...state, checking_auth: action.checking_auth };
    case 'set_user':
      return { ...state, user: action.user, error: null, loading: false };
    case 'set_error':
      return { ...state, error: action.error };
    case 'clear_error':
      return { ...state, error: null };
    case 'logout':
      // The error stays: it may say that the server was unreachable.
      return { ...state, user: null };
  }
}

/** Returns true from 30 s before the expiry (ms, same clock as `now_ms`); an unknown expiry counts as expired. */
export function isTokenExpired(expires_at_ms: number | null, now_ms: number): boolean {
  return expires_at_ms === null || !(now_ms < expires_at_ms - TOKEN_EXPIRY_MARGIN_MS);
}
