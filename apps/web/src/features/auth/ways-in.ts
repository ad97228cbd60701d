import type { Reply } from '@sendlap/contract/endpoint.ts';
import { type AuthEndpoints, loadAuthEndpoints } from '#web/shared/api/auth-endpoints.ts';
import { call } from '#web/shared/api/client.ts';

export type WaysIn = Reply<AuthEndpoints['getAuthConfig']>;

let known: Promise<WaysIn> | null = null;

/**
 * Returns the sign-in methods that the server offers; cached for the page's life, retried after a failure. Throws
 * ApiError.
 */
export function loadWaysIn(): Promise<WaysIn> {
  known ??= loadAuthEndpoints()
    .then(({ getAuthConfig }) => call(getAuthConfig, {}))
    .catch((error: unknown) => {
      known = null;
      throw error;
    });
  return known;
}
