import type { AccessClaims } from './access-tokens.ts';
import type { Database } from './database.ts';

/**
 * Notes in the database that a refresh token was received, which the first request with an access token issued with
 * it proves: from then on its parent in anybody's hand is a stolen copy. One write per access token and node, as long
 * as the same claims object comes back; a write that failed is tried again with the next request.
 */
export function createConfirmations(database: Database, now: () => number) {
  const confirmed = new WeakMap<AccessClaims, Promise<void>>();

  async function write({ session_id, generation }: AccessClaims): Promise<void> {
    await database
      .updateTable('refresh_tokens')
      .set({ confirmed_at: new Date(now()) })
      .where('session_id', '=', session_id)
      .where('generation', '=', generation)
      .where('confirmed_at', 'is', null)
      .execute();
  }

  function writeOnce(claims: AccessClaims): Promise<void> {
    const writing = write(claims).catch((error: unknown) => {
      confirmed.delete(claims);
      throw error;
    });
    confirmed.set(claims, writing);
    return writing;
  }

  return async function confirm(claims: AccessClaims): Promise<void> {
    // The first of a family has no parent that could come back.
    if (claims.generation > 0) await (confirmed.get(claims) ?? writeOnce(claims));
  };
}
