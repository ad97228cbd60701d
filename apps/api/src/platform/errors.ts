import { ERROR_STATUS, type ErrorCode } from '@sendlap/contract/wire/errors.ts';

interface ErrorOptions {
  /** The invalid parts of the request. */
  details?: { path: string; message: string }[];
  /** For the log only; never sent to the client. */
  cause?: unknown;
  retry_after_s?: number;
  /** For the log only: facts that help the operator fix the problem. No secrets. */
  log_fields?: Record<string, unknown>;
}

/** The refusal of a request. `message` is plain English and is sent to the caller unchanged. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: { path: string; message: string }[] | undefined;
  readonly retry_after_s: number | undefined;
  readonly log_fields: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = ERROR_STATUS[code];
    this.details = options.details;
    this.retry_after_s = options.retry_after_s;
    this.log_fields = options.log_fields;
  }
}

export function cursorInvalid(): AppError {
  return new AppError('cursor_invalid', 'This cursor does not belong to this list');
}

export function userNotFound(cause?: unknown): AppError {
  return new AppError('user_not_found', 'User not found', { cause });
}
