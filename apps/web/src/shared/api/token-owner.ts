/**
 * Whether a bearer token may speak for this user. Ours is a JWT whose `sub` says so; of a token that can't be read
 * nothing is known, and the server has the last word.
 */
export function isTokenOf(token: string, user_id: string): boolean {
  const sub = readClaim(token, 'sub');
  return sub === null || sub === user_id;
}

/** The session that a bearer token belongs to; null for one that does not say. */
export function sessionOf(token: string): string | null {
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

/** Whose app this tab shows. The cookie of a browser may belong to somebody who signed in elsewhere meanwhile. */
export interface TokenOwner {
  /** Whether the token speaks for somebody else than the user that this tab shows. */
  isForeign(token: string): boolean;
  /**
   * Starts the app over, so that it shows whoever is signed in now. False while the start-up is still finding out
   * who that is: it then shows the right one by itself.
   */
  startOver(): boolean;
}
