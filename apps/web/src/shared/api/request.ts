import type { Endpoint, Reply } from '@sendlap/contract/endpoint.ts';
import { addressOf, type Parts } from './address.ts';
import { ApiError } from './errors.ts';
import { isFailure, readData, readFailure } from './reply.ts';
import type { ServerClock } from './server-clock.ts';

const REQUEST_TIMEOUT_MS = 10_000;

export interface RequestDeps {
  fetch: typeof globalThis.fetch;
  clock: Pick<ServerClock, 'observe'>;
  /** ms of a clock that never jumps. */
  monotonicNow: () => number;
  /** Origin of the server, '' for our own. */
  base: string;
}

interface RequestOptions {
  token?: string | null;
  idempotency_key?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Fills in what another server leaves out, before the reply's schema is asked. */
  prepare?: ((body: unknown) => unknown) | undefined;
}

export type Request = <E extends Endpoint>(endpoint: E, parts: Parts, options: RequestOptions) => Promise<Reply<E>>;

/**
 * One attempt of a call: no refresh, no retry. Throws ApiError, or the caller's own abort reason.
 * The time-out of 10 s covers the body too.
 */
export function createRequest({ fetch, clock, monotonicNow, base }: RequestDeps): Request {
  return async (endpoint, parts, options) => {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), REQUEST_TIMEOUT_MS);
    const signals = [timeout.signal, ...(options.signal ? [options.signal] : [])];
    try {
      const sent_at = monotonicNow();
      const response = await fetch(base + addressOf(endpoint, parts), {
        method: endpoint.method,
        headers: headersOf(parts, options),
        credentials: 'include',
        signal: AbortSignal.any(signals),
        ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
      });
      // A reply out of the browser's cache carries the time of the day it was made.
      if (!endpoint.cache_s) clock.observe(response.headers.get('x-server-time'), monotonicNow() - sent_at);
      const body = await readBody(response);
      if (!response.ok || isFailure(body)) throw failureOf(endpoint, response, body);
      return readData(endpoint.data, options.prepare ? options.prepare(body) : body, response.status) as never;
    } catch (error) {
      throw asApiError(error, options.signal, timeout.signal);
    } finally {
      clearTimeout(timer);
    }
  };
}

function headersOf(parts: Parts, { token, idempotency_key }: RequestOptions): Record<string, string> {
  return {
    accept: 'application/json',
    ...(parts.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(idempotency_key ? { 'idempotency-key': idempotency_key } : {}),
  };
}

/** JSON, null for an empty body, or the text of one that is not JSON (a proxy's error page), which no schema takes. */
async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

function failureOf({ access }: Endpoint, { status, statusText, headers }: Response, body: unknown): ApiError {
  const { message, ...rest } = readFailure(body);
  const said = { status, server_message: message ?? null, retry_after_s: readRetryAfter(headers), ...rest };
  // Where nobody has to be signed in, a 401 is the answer to what was sent (a wrong password), not the end of a session.
  if (status === 401 && access !== 'anyone')
    return new ApiError({ ...said, code: 'AUTH_REQUIRED', message: 'Authentication failed' });
  if (status === 403) return new ApiError({ ...said, code: 'REAUTH_REQUIRED' });
  if (status === 408) return new ApiError({ ...said, code: 'TIMEOUT' });
  return new ApiError({ ...said, code: 'HTTP_ERROR', message: message || statusText });
}

/** Seconds of a Retry-After header in either of its forms (RFC 9110, 10.2.3); 0 where there is none. */
function readRetryAfter(headers: Headers): number {
  const value = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  // Counted from the server's own clock, for this device's may be wrong.
  const until_ms = Date.parse(value) - Date.parse(headers.get('date') ?? '');
  return until_ms > 0 ? Math.ceil(until_ms / 1000) : 0;
}

function asApiError(error: unknown, caller: AbortSignal | undefined, timeout: AbortSignal): unknown {
  if (error instanceof ApiError) return error;
  if (caller?.aborted) return caller.reason;
  if (timeout.aborted) return new ApiError({ code: 'TIMEOUT', status: 408, cause: error });
  // fetch reports every failure to connect as a TypeError.
  if (error instanceof TypeError) return new ApiError({ code: 'NETWORK_ERROR', status: 0, cause: error });
  return new ApiError({
    code: 'UNKNOWN_ERROR',
    status: 0,
    message: error instanceof Error ? error.message : '',
    cause: error,
  });
}
