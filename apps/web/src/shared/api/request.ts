import type { Endpoint, Reply } from '@sendlap/contract/wire/endpoint.ts';
import type { ErrorCode } from '@sendlap/contract/wire/errors.ts';
import { ApiError } from './errors.ts';
import { isFailure, readData, readFailure } from './reply.ts';
import { buildRequestPath, type RequestParts } from './request-path.ts';
import type { ServerClock } from './server-clock.ts';

export const REQUEST_TIMEOUT_MS = 10_000;
/** Every refusal of our server has this header, and so has every reply that must not be cached. */
const SERVER_TIME = 'x-server-time';
/** The server names its epoch with each access token. */
const SERVER_EPOCH = 'x-server-epoch';
const REQUEST_ID = 'x-request-id';
const PROOF_EXPIRED: ErrorCode = 'proof_expired';

export interface RequestDeps {
  fetch: typeof globalThis.fetch;
  clock: Pick<ServerClock, 'observe'>;
  /** The server has named its epoch. */
  onEpoch?: (epoch: string) => void;
  /** Milliseconds of a monotonic clock. */
  monotonicNow: () => number;
  /** Origin of the server, '' for our own. */
  base: string;
  /** Returns a proof that this browser makes the request; null if it cannot create one. */
  createProof: (endpoint: Endpoint) => Promise<string | null>;
}

interface RequestOptions {
  token?: string | null;
  idempotency_key?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Asks the server whether the browser's copy of the reply is still the current one, however fresh it is. */
  revalidate?: boolean | undefined;
  /** Fills in fields that another server omits, before the reply's schema checks it. */
  normalizeReply?: ((body: unknown) => unknown) | undefined;
}

export type Request = <E extends Endpoint>(
  endpoint: E,
  parts: RequestParts,
  options: RequestOptions,
) => Promise<Reply<E>>;

/**
 * One attempt of a call, without refresh or retry, except for a proof that a wrong clock spoiled. Throws ApiError, or
 * the caller's own abort reason. The time-out of 10 s includes the body.
 */
export function createRequest(deps: RequestDeps): Request {
  const attempt = createAttempt(deps);
  return (endpoint, parts, options) =>
    attempt(endpoint, parts, options).catch((error: unknown) => {
      // The refusal contained the server's time.
      if (error instanceof ApiError && error.backend_error === PROOF_EXPIRED) return attempt(endpoint, parts, options);
      throw error;
    });
}

function createAttempt({ fetch, clock, onEpoch, monotonicNow, base, createProof }: RequestDeps): Request {
  return async (endpoint, parts, options) => {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), REQUEST_TIMEOUT_MS);
    const signals = [timeout.signal, ...(options.signal ? [options.signal] : [])];
    try {
      const proof = endpoint.takes_dpop_proof ? await createProof(endpoint) : null;
      const sent_at = monotonicNow();
      const response = await fetch(base + buildRequestPath(endpoint, parts), {
        method: endpoint.method,
        headers: { ...buildHeaders(parts, options), ...(proof ? { dpop: proof } : {}) },
        credentials: 'include',
        ...(options.revalidate ? { cache: 'no-cache' } : {}),
        signal: AbortSignal.any(signals),
        ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
      });
      // A cached reply carries the time of its creation.
      if (!endpoint.cache_s) clock.observe(response.headers.get(SERVER_TIME), monotonicNow() - sent_at);
      const epoch = response.headers.get(SERVER_EPOCH);
      if (epoch !== null) onEpoch?.(epoch);
      const body = await readBody(response);
      if (!response.ok || isFailure(body)) throw createResponseError(endpoint, response, body, base);
      return readData(
        endpoint.data,
        options.normalizeReply ? options.normalizeReply(body) : body,
        response.status,
      ) as never;
    } catch (error) {
      throw asApiError(error, options.signal, timeout.signal);
    } finally {
      clearTimeout(timer);
    }
  };
}

function buildHeaders(parts: RequestParts, { token, idempotency_key }: RequestOptions): Record<string, string> {
  return {
    accept: 'application/json',
    ...(parts.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(idempotency_key ? { 'idempotency-key': idempotency_key } : {}),
  };
}

/**
 * Returns JSON, null for an empty body, or the text of another format (a proxy's error page), which no schema accepts.
 */
async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * A 401 or 403 that our server did not send (a captive portal, a proxy) says nothing about the session: it counts as
 * no network.
 */
function createResponseError(
  { access }: Pick<Endpoint, 'access'>,
  { status, statusText, headers }: Response,
  body: unknown,
  base: string,
): ApiError {
  const { message, is_enveloped, ...rest } = readFailure(body);
  // A server other than ours may omit its time.
  const is_from_our_server = is_enveloped && (base !== '' || headers.has(SERVER_TIME));
  const header_fields = { retry_after_s: readRetryAfter(headers), request_id: headers.get(REQUEST_ID) };
  const error_fields = { status, server_message: message ?? null, is_from_our_server, ...header_fields, ...rest };
  if (!is_from_our_server && (status === 401 || status === 403))
    return new ApiError({
      code: 'NETWORK_ERROR',
      status: 0,
      cause: new ApiError({ ...error_fields, code: 'HTTP_ERROR' }),
    });
  // For endpoints without a session a 401 answers the input (a wrong password) and ends no session.
  if (status === 401 && access !== 'anyone')
    return new ApiError({ ...error_fields, code: 'AUTH_REQUIRED', message: 'Authentication failed' });
  if (status === 403) return new ApiError({ ...error_fields, code: 'REAUTH_REQUIRED' });
  if (status === 408) return new ApiError({ ...error_fields, code: 'TIMEOUT' });
  return new ApiError({ ...error_fields, code: 'HTTP_ERROR', message: message || statusText });
}

/** Returns the refusal of a stream or a file, which are read without `request`, as `request` throws it. */
export async function readRefusal(response: Response, base: string): Promise<ApiError> {
  return createResponseError({ access: 'user' }, response, await readBody(response).catch(() => null), base);
}

/** Returns the seconds of a Retry-After header in either form (RFC 9110, 10.2.3); 0 without one. */
function readRetryAfter(headers: Headers): number {
  const value = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  // Relative to the server's clock, because this device's clock may be wrong.
  const until_ms = Date.parse(value) - Date.parse(headers.get('date') ?? '');
  return until_ms > 0 ? Math.ceil(until_ms / 1000) : 0;
}

function asApiError(error: unknown, caller: AbortSignal | undefined, timeout: AbortSignal): unknown {
  if (error instanceof ApiError) return error;
  if (caller?.aborted) return caller.reason;
  if (timeout.aborted) return new ApiError({ code: 'TIMEOUT', status: 408, cause: error });
  // fetch reports every connection failure as a TypeError.
  if (error instanceof TypeError) return new ApiError({ code: 'NETWORK_ERROR', status: 0, cause: error });
  return new ApiError({
    code: 'UNKNOWN_ERROR',
    status: 0,
    message: error instanceof Error ? error.message : '',
    cause: error,
  });
}
