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
  details?: ErrorDetail[];
  backend_error?: string | null;
  retry_after_s?: number;
  cause?: unknown;
}

/**
 * The one error that `call` throws (an abort by the caller apart).
 * `status` is 0 without an answer. `backend_error` is the server's own code (an ErrorCode of the contract where the
 * server is ours), null where it sent none. `details` name the fields that were refused, by the server or by the
 * reply's schema.
 */
export class ApiError extends Error {
  readonly code: RequestErrorCode;
  readonly status: number;
  readonly details: ErrorDetail[];
  readonly backend_error: string | null;
  readonly retry_after_s: number;

  constructor({ code, status, message, details = [], backend_error = null, retry_after_s = 0, cause }: ApiErrorInit) {
    super(message || REQUEST_ERRORS[code], { cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.details = details;
    this.backend_error = backend_error;
    this.retry_after_s = retry_after_s;
  }
}

/** True when nobody could be asked: no network, no answer in time, or a server that is not able to answer now. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 0 || error.status === 408 || error.status === 429 || error.status >= 500;
}

/** Whether a reply lacked a field (or held a wrong one) that its schema wants, e.g. 'tokens.access_token'. */
export function lacksField(error: unknown, path: string): boolean {
  if (!(error instanceof ApiError) || error.code !== 'UNKNOWN_ERROR') return false;
  return error.details.some((detail) => detail.path === '' || path.startsWith(detail.path));
}
