import type { User } from '@sendlap/contract/users.ts';
import {
  INITIAL_SESSION,
  type SessionAction,
  type SessionState,
  sessionReducer,
} from '@sendlap/domain/session-machine.ts';
import { createStore } from '#web/shared/lib/store.ts';

export interface AuthState {
  getState(): SessionState<User>;
  dispatch(action: SessionAction<User>): void;
  subscribe(listener: () => void): () => void;
}

/** The auth state of the spec (section 3). */
export function createAuthState(): AuthState {
  const { getState, setState, subscribe } = createStore<SessionState<User>>(INITIAL_SESSION);
  return { getState, subscribe, dispatch: (action) => setState(sessionReducer(getState(), action)) };
}
