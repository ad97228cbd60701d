import type { User } from '@sendlap/contract/users.ts';
import type { SessionState } from '@sendlap/domain/session-machine.ts';
import { useSyncExternalStore } from 'react';
import { session } from './client.ts';

/** The auth state of the spec, kept up to date. */
export function useSession(): SessionState<User> {
  return useSyncExternalStore(session.subscribe, session.getState, session.getState);
}

/** A screen that needs a user was rendered without one. */
export class NoUserError extends Error {
  constructor() {
    super('Authentication context not available');
    this.name = 'NoUserError';
  }
}

/**
 * Returns the signed-in user; only for screens behind the guard, which always have one. Throws NoUserError elsewhere.
 */
export function useUser(): User {
  const { user } = useSession();
  if (!user) throw new NoUserError();
  return user;
}
