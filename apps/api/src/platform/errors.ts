import { ERROR_STATUS, type ErrorCode } from '@sendlap/contract/errors.ts';

interface ErrorOptions {
  /** Which part of the request was wrong. */
  details?: { path: string; message: string }[];
  /** For the log only; it never leaves the server. */
  cause?: unknown;
  retry_after_s?: number;
  /** For the log only: what the operator needs to mend it. No secrets. */
  facts?: Record<string, unknown>;
}

/** What a request is refused with. `message` is in plain English and goes to the caller as it is. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: { path: string; message: string }[] | undefined;
  readonly retry_after_s: number | undefined;
  readonly facts: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = ERROR_STATUS[code];
    this.details = options.details;
    this.retry_after_s = options.retry_after_s;
    this.facts = options.facts;
  }
}
