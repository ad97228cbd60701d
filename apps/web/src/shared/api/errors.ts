/** The codes of the request layer (spec, section 8), each with its default message. */
export const REQUEST_ERRORS = {
  AUTH_REQUIRED: 'Authentication failed - please login again',
  REAUTH_REQUIRED: 'Re-authentication required - please login again',
  HTTP_ERROR: 'Request failed',
  TIMEOUT: 'Request timeout',
  NETWORK_ERROR: 'Network error',
  UNKNOWN_ERROR: 'Unknown error',
} as const;
export type RequestErrorCode = keyof typeof REQUEST_ERRORS;

export interface ErrorDetail {
  path: string;
  message: string;
}

interface ApiErrorInit {
  code: RequestErrorCode;
  status: number;
  message?: string | undefined;
  server_message?: string | null;
  details?: ErrorDetail[];
  backend_error?: string | null;
  retry_after_s?: number;
  is_from_our_server?: boolean;
  request_id?: string | null;
  cause?: unknown;
}

/**
 * The only error that `call` makes (it also throws aborts and what `beforeSend` throws). Its message is the server's, else
 * the status text or the default of the code.
 */
export class ApiError extends Error {
  declare readonly code: RequestErrorCode;
  /** 0 without an answer. */
  declare readonly status: number;
  /** The server's own text. */
  readonly server_message: string | null = null;
  /** The fields that the server or the schema of the reply refused. */
  readonly details: ErrorDetail[] = [];
  /** The server's own code; an ErrorCode of the contract if the server is ours. */
  readonly backend_error: string | null = null;
  /** 0 if the server set none. */
  readonly retry_after_s: number = 0;
  /** True if our server refused, not a proxy or a public network. */
  readonly is_from_our_server: boolean = false;
  /** Finds the refusal in the server's log. */
  readonly request_id: string | null = null;

  constructor({ message, cause, ...fields }: ApiErrorInit) {
    super(message || REQUEST_ERRORS[fields.code], { cause });
    this.name = 'ApiError';
    Object.assign(this, fields);
  }
}

/**
 * Returns true if our server was unreachable: no network, no answer in time, a server that cannot answer now, or a
 * foreign answer (the sign-in page of a public network).
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  // A portal may answer any path with 404: that says nothing about the thing itself.
  if (error.code === 'HTTP_ERROR' && !error.is_from_our_server) return true;
  if (error.code === 'UNKNOWN_ERROR') return error.status === 0 || error.details.some(({ path }) => path === '');
  return [0, 408, 425, 429].includes(error.status) || error.status >= 500;
}

/**
 * Returns true if the server says that this session is over; no other error signs a user out. A refresh that this device
 * aborted says nothing: what aborted it decides.
 */
export function isSessionEndedError(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || isAbort(error.cause)) return false;
  return error.code === 'AUTH_REQUIRED' || error.code === 'REAUTH_REQUIRED';
}

function isAbort(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === 'AbortError';
}

/** Returns true if our server itself refused. Other answers come from a gateway or a network in between. */
export function isServerRefusal(error: unknown): boolean {
  return error instanceof ApiError && !isUnreachable(error) && error.is_from_our_server;
}

/** Returns whether a field that the reply's schema requires was missing or wrong, e.g. 'tokens.access_token'. */
export function lacksField(error: unknown, path: string): boolean {
  if (!(error instanceof ApiError) || error.code !== 'UNKNOWN_ERROR') return false;
  return error.details.some((detail) => detail.path === '' || path.startsWith(detail.path));
}

const REQUEST_ID = /^[\w-]{1,64}$/;

/** Returns the id by which the operator finds a failed request in the server's log; null if the error has none. */
export function requestIdOf(error: unknown): string | null {
  return error instanceof ApiError ? parseRequestId(error.request_id) : null;
}

/** Validates a request id from a header or a URL; returns null for anything else, which could be an attacker's text. */
export function parseRequestId(text: string | null): string | null {
  return text !== null && REQUEST_ID.test(text) ? text : null;
}
