import { type CallArguments, type Endpoint, needsSession, type Reply } from '@sendlap/contract/wire/endpoint.ts';
import { retryDelayMs, shouldRetry } from '@sendlap/domain/retry.ts';
import type { AccessToken } from './access-token.ts';
import { ApiError, isSessionEndedError, isUnreachable } from './errors.ts';
import type { Request } from './request.ts';
import type { RequestParts } from './request-path.ts';
import { isTokenOf, type TokenOwner } from './token-owner.ts';

interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Asks the server whether the browser's copy of the reply is still the current one, however fresh it is. */
  revalidate?: boolean;
  /** Makes a write safe to retry; a body with `op_id` or `client_id` already is. */
  idempotency_key?: string;
  normalizeReply?: (body: unknown) => unknown;
  /** Sends with the current token, or without one: only for "who am I" at start-up. */
  skip_owner_check?: boolean;
  /** Called before each time the request is sent, with the token of that time; if it throws, it is not sent. */
  beforeSend?: () => Promise<void>;
  /** Id of the only user as whom the call may be sent: the cookie may belong to a user who signed in elsewhere. */
  expected_user_id?: string;
}

export interface CallDeps {
  request: Request;
  token: AccessToken;
  refreshOnce: (stale: string | null) => Promise<void>;
  /** Called when the server no longer knows the session (AUTH_REQUIRED) or requires a new sign-in (REAUTH_REQUIRED). */
  onSignedOut: (error: ApiError) => void;
  owner: TokenOwner;
  /** Called when the server reports that the account is locked until it is erased. */
  onLocked: () => void;
  /** Called after a successful write: data that was read before may be stale. */
  onWritten: (endpoint: Endpoint) => void;
  isOnline: () => boolean;
  /** Called after each call that was answered or failed, not after an aborted one. */
  onReached: (reached: boolean) => void;
}

/**
 * Calls an endpoint of the contract: bearer token, one refresh on 401, the spec's retries where sending twice is safe,
 * the reply parsed. Throws ApiError, what `beforeSend` throws, or the reason with which the caller's signal was
 * aborted.
 */
export type Call = <E extends Endpoint>(
  endpoint: E,
  args: CallArguments<E>,
  options?: CallOptions,
) => Promise<Reply<E>>;

export function createCall(deps: CallDeps): Call {
  const { request, token, refreshOnce, owner } = deps;

  function isForeign({ expected_user_id, skip_owner_check }: CallOptions): boolean {
    const valid = token.getValid();
    if (valid === null) return false;
    return (
      (expected_user_id !== undefined && !isTokenOf(valid, expected_user_id)) ||
      (!skip_owner_check && owner.isForeign(valid))
    );
  }

  /** Returns the token to send, if there is one. Throws AUTH_REQUIRED if it belongs to another user. */
  function tokenFor(options: CallOptions): string | null {
    const valid = token.getValid();
    if (!isForeign(options)) return valid;
    if (valid !== null && owner.isForeign(valid)) owner.requestReload();
    throw new ApiError({ code: 'AUTH_REQUIRED', status: 401 });
  }

  async function send<E extends Endpoint>(endpoint: E, parts: RequestParts, options: CallOptions): Promise<Reply<E>> {
    if (options.beforeSend) await options.beforeSend();
    const sent_token = needsSession(endpoint) ? tokenFor(options) : null;
    try {
      return await request(endpoint, parts, { ...options, token: sent_token });
    } catch (error) {
      // An answer to the previous token says nothing about a token that has arrived since.
      const is_current = sent_token === token.getLatest();
      if (error instanceof ApiError && error.backend_error === 'account_locked' && is_current) deps.onLocked();
      throw error;
    }
  }

  /** Signs the user out here, unless another user has signed in since: that user was not refused, and stays. */
  function endSession(error: ApiError, options: CallOptions): void {
    if (isForeign(options)) return;
    token.clear();
    deps.onSignedOut(error);
  }

  async function refreshOrSignOut(stale: string | null, options: CallOptions): Promise<void> {
    try {
      await refreshOnce(stale);
    } catch (error) {
      if (isSessionEndedError(error)) endSession(error, options);
      throw error;
    }
  }

  async function sendAuthorized<E extends Endpoint>(
    endpoint: E,
    parts: RequestParts,
    options: CallOptions,
  ): Promise<Reply<E>> {
    if (!needsSession(endpoint)) return send(endpoint, parts, options);
    // Without a valid token the first attempt would only waste a round trip.
    if (token.getValid() === null) await refreshOrSignOut(token.getLatest(), options);
    const sent_token = token.getValid();
    try {
      return await send(endpoint, parts, options);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401 || isForeign(options)) throw error;
    }
    await refreshOrSignOut(sent_token, options);
    // A 401 here does not end the session: the refresh just returned this token, and some node may not know it yet.
    return send(endpoint, parts, options);
  }

  return async (endpoint, args, options = {}) => {
    const parts = args as RequestParts;
    const is_repeatable = isSafeToRetry(endpoint, parts, options);
    for (let attempt = 1; ; attempt++) {
      try {
        const reply = await sendAuthorized(endpoint, parts, options);
        deps.onReached(true);
        if (endpoint.method !== 'GET') deps.onWritten(endpoint);
        return reply;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.code === 'REAUTH_REQUIRED') endSession(error, options);
        const { status, retry_after_s } = error;
        if (!deps.isOnline() || !shouldRetry({ attempt, status, is_repeatable, retry_after_s })) {
          // A server that answers "too many requests" is reachable.
          deps.onReached(!isUnreachable(error) || status === 429);
          throw error;
        }
        await wait(retryDelayMs(attempt, retry_after_s), options.signal);
      }
    }
  };
}

/** Returns true for reads, keyed writes, and idempotent writes. */
function isSafeToRetry({ method }: Endpoint, { body }: RequestParts, { idempotency_key }: CallOptions): boolean {
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
