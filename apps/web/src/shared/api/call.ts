import type { Arguments, Endpoint, Reply } from '@sendlap/contract/endpoint.ts';
import { retryDelayMs, shouldRetry } from '@sendlap/domain/retry.ts';
import type { AccessToken } from './access-token.ts';
import type { Parts } from './address.ts';
import { ApiError } from './errors.ts';
import type { Request } from './request.ts';
import { isTokenOf } from './token-owner.ts';

interface CallOptions {
  signal?: AbortSignal;
  /** Makes a write repeatable; a body with `op_id` or `client_id` is by itself. */
  idempotency_key?: string;
  prepare?: (body: unknown) => unknown;
  /** Sends with whatever token there is, even none: only the start-up's question "who am I" does. */
  as_is?: boolean;
  /** Id of the only user as whom it may be sent: the cookie may belong to somebody who signed in elsewhere. */
  only_as?: string;
}

export interface CallDeps {
  request: Request;
  token: AccessToken;
  refreshOnce: (stale: string | null) => Promise<void>;
  /** Called when the server no longer knows us (AUTH_REQUIRED) or wants a new sign-in (REAUTH_REQUIRED). */
  onSignedOut: (error: ApiError) => void;
  isOnline: () => boolean;
}

/**
 * Makes a call of the contract: bearer token, one refresh on 401, the spec's retries where sending twice is safe,
 * the reply parsed. Throws ApiError, or the reason with which the caller's signal was aborted.
 */
export type Call = <E extends Endpoint>(endpoint: E, args: Arguments<E>, options?: CallOptions) => Promise<Reply<E>>;

export function createCall({ request, token, refreshOnce, onSignedOut, isOnline }: CallDeps): Call {
  function isForeign({ only_as }: CallOptions): boolean {
    const valid = token.valid();
    return valid !== null && only_as !== undefined && !isTokenOf(valid, only_as);
  }

  /** The token to send with, if there is one. Throws AUTH_REQUIRED when it speaks for somebody else. */
  function tokenFor(options: CallOptions): string | null {
    if (isForeign(options)) throw new ApiError({ code: 'AUTH_REQUIRED', status: 401 });
    return token.valid();
  }

  async function authorized<E extends Endpoint>(endpoint: E, parts: Parts, options: CallOptions): Promise<Reply<E>> {
    if (endpoint.access !== 'user') return request(endpoint, parts, options);
    // Without a valid token the first attempt would only cost a round trip.
    if (!options.as_is && token.valid() === null) await refreshOnce(token.current());
    const sent_with = tokenFor(options);
    try {
      return await request(endpoint, parts, { ...options, token: sent_with });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
    }
    await refreshOnce(sent_with);
    return request(endpoint, parts, { ...options, token: tokenFor(options) });
  }

  return async (endpoint, args, options = {}) => {
    const parts = args as Parts;
    const method_safe_or_keyed = mayArriveTwice(endpoint, parts, options);
    for (let attempt = 1; ; attempt++) {
      try {
        return await authorized(endpoint, parts, options);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status === 401 || error.status === 403) {
          // Whoever signed in meanwhile was not refused, and stays.
          if (isForeign(options)) throw error;
          token.clear();
          onSignedOut(error);
          throw error;
        }
        const { status, retry_after_s } = error;
        if (!isOnline() || !shouldRetry({ attempt, status, method_safe_or_keyed, retry_after_s })) throw error;
        await wait(retryDelayMs(attempt, retry_after_s), options.signal);
      }
    }
  };
}

/** Reads, keyed writes, and writes that end in the same state however often they arrive. */
function mayArriveTwice({ method }: Endpoint, { body }: Parts, { idempotency_key }: CallOptions): boolean {
  if (method === 'GET' || method === 'PUT' || method === 'DELETE' || idempotency_key !== undefined) return true;
  return typeof body === 'object' && body !== null && ('op_id' in body || 'client_id' in body);
}

function wait(delay_ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, delay_ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
