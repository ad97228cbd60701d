/**
 * Returns whether a bearer token may act for this user. Ours is a JWT with the user in `sub`; for an unreadable token
 * returns true, and the server decides.
 */
export function isTokenOf(token: string, user_id: string): boolean {
  const sub = readUserId(token);
  return sub === null || sub === user_id;
}

/** Returns the user of a bearer token; null if the token does not contain it. */
export function readUserId(token: string): string | null {
  return readClaim(token, 'sub');
}

/** Returns the session of a bearer token; null if the token does not contain it. */
export function readSessionId(token: string): string | null {
  return readClaim(token, 'sid');
}

function readClaim(token: string, name: 'sub' | 'sid'): string | null {
  const [, payload] = token.split('.');
  if (!payload) return null;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    const claim = (claims as Record<string, unknown> | null)?.[name];
    return typeof claim === 'string' ? claim : null;
  } catch {
    return null;
  }
}

/**
 * The user whose app this tab shows. The browser's cookie may belong to another user who has signed in elsewhere since.
 */
export interface TokenOwner {
  /** Returns whether the token belongs to another user than this tab shows. */
  isForeign(token: string): boolean;
  /**
   * Reloads the app, so that it shows the user who is signed in now. Returns false during the start-up, which will show
   * the right user by itself.
   */
  requestReload(): boolean;
}
