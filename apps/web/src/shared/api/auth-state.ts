import type { User } from '@sendlap/contract/users.ts';
import {
  INITIAL_SESSION,
  type SessionAction,
  type SessionState,
  sessionReducer,
} from '@sendlap/domain/session-machine.ts';

export interface AuthState {
  getState(): SessionState<User>;
  dispatch(action: SessionAction<User>): void;
  subscribe(listener: () => void): () => void;
}

/** The auth state of the spec (section 3), outside React, in the shape that useSyncExternalStore expects. */
export function createAuthState(): AuthState {
  let state: SessionState<User> = INITIAL_SESSION;
  const listeners = new Set<() => void>();
  return {
    getState: () => state,
    dispatch(action) {
      state = sessionReducer(state, action);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
