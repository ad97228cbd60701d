/** The codes of the request layer (spec, section 8) with the message that each carries unless the server said more. */
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
  is_ours?: boolean;
  request_id?: string | null;
  cause?: unknown;
}

/**
 * The one error that `call` throws (an abort by the caller apart).
 * `status` is 0 without an answer. `server_message` is what the server itself said, null where it said nothing: the
 * `message` is then the status text or the code's own. `backend_error` is the server's own code (an ErrorCode of the contract where the
 * server is ours), null where it sent none. `details` name the fields that were refused, by the server or by the
 * reply's schema. `retry_after_s` is how long the server wants to be left alone, 0 where it did not say.
 * `is_ours` is true when our server refused, and no proxy or public network did in its place.
 * `request_id` finds the refusal in the server's log, null where the server named none.
 */
export class ApiError extends Error {
  readonly code: RequestErrorCode;
  readonly status: number;
  readonly server_message: string | null;
  readonly details: ErrorDetail[];
  readonly backend_error: string | null;
  readonly retry_after_s: number;
  readonly is_ours: boolean;
  readonly request_id: string | null;

  constructor(init: ApiErrorInit) {
    super(init.message || REQUEST_ERRORS[init.code], { cause: init.cause });
    this.name = 'ApiError';
    this.code = init.code;
    this.status = init.status;
    this.server_message = init.server_message ?? null;
    this.details = init.details ?? [];
    this.backend_error = init.backend_error ?? null;
    this.retry_after_s = init.retry_after_s ?? 0;
    this.is_ours = init.is_ours ?? false;
    this.request_id = init.request_id ?? null;
  }
}

/**
 * True when our server could not be asked: no network, no answer in time, a server that is not able to answer now, or
 * an answer that is somebody else's altogether (the sign-in page of a public network).
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error.code === 'UNKNOWN_ERROR') return error.status === 0 || error.details.some(({ path }) => path === '');
  return [0, 408, 425, 429].includes(error.status) || error.status >= 500;
}

/** True when the server said that this session is over; anything else is no reason to sign anybody out. */
export function endsSession(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.code === 'AUTH_REQUIRED' || error.code === 'REAUTH_REQUIRED');
}

/** True when our server itself said no. Other pages come from a gateway or a network in between. */
export function isServersWord(error: unknown): boolean {
  return error instanceof ApiError && !isUnreachable(error) && error.is_ours;
}

/** Whether a reply lacked a field (or held a wrong one) that its schema wants, e.g. 'tokens.access_token'. */
export function lacksField(error: unknown, path: string): boolean {
  if (!(error instanceof ApiError) || error.code !== 'UNKNOWN_ERROR') return false;
  return error.details.some((detail) => detail.path === '' || path.startsWith(detail.path));
}
