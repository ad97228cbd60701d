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
