import type { Reply } from '@sendlap/contract/wire/endpoint.ts';
import { type AuthEndpoints, loadAuthEndpoints } from '#web/shared/api/auth-endpoints.ts';
import { call } from '#web/shared/api/client.ts';

export type SignInMethods = Reply<AuthEndpoints['getAuthConfig']>;

let cached: Promise<SignInMethods> | null = null;

/**
 * Returns the sign-in methods that the server offers; cached for the page's life, retried after a failure. Throws
 * ApiError.
 */
export function loadSignInMethods(): Promise<SignInMethods> {
  cached ??= loadAuthEndpoints()
    .then(({ getAuthConfig }) => call(getAuthConfig, {}))
    .catch((error: unknown) => {
      cached = null;
      throw error;
    });
  return cached;
}

interface DemoEnvironment {
  /** True in a development build. */
  dev: boolean;
  hostname: string;
  /** The developer has switched the demo user on. */
  enabled: boolean;
}

/** Whether the demo-user button is shown: only in development, on localhost, and if it is enabled. */
export function isDemoOffered({ dev, hostname, enabled }: DemoEnvironment): boolean {
  return dev && enabled && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
