/**
 * Whether a bearer token may speak for this user. Ours is a JWT whose `sub` says so; of a token that can't be read
 * nothing is known, and the server has the last word.
 */
export function isTokenOf(token: string, user_id: string): boolean {
  const [, payload] = token.split('.');
  if (!payload) return true;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    const sub = typeof claims === 'object' && claims !== null && 'sub' in claims ? claims.sub : undefined;
    return typeof sub !== 'string' || sub === user_id;
  } catch {
    return true;
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
