/** Attempts per request, including the first. */
export const MAX_ATTEMPTS = 3;
/** If the server asks for a longer wait, the request is not retried. */
export const MAX_RETRY_AFTER_S = 30;

const RETRYABLE_STATUSES = [0, 408, 425, 429];

export interface FailedAttempt {
  /** 1 for the first attempt. */
  attempt: number;
  /** HTTP status; 0 for a network failure or our own time-out. */
  status: number;
  /** True for a read, and for a write with an idempotency key: only these may arrive twice. */
  is_repeatable: boolean;
  /** The reply's Retry-After, in seconds. */
  retry_after_s?: number;
}

/** Returns whether to retry: only for network failures, 408, 425, 429 and 5xx, at most 3 attempts. */
export function shouldRetry({ attempt, status, is_repeatable, retry_after_s = 0 }: FailedAttempt): boolean {
  if (!is_repeatable || attempt >= MAX_ATTEMPTS || retry_after_s > MAX_RETRY_AFTER_S) return false;
  return RETRYABLE_STATUSES.includes(status) || (status >= 500 && status <= 599);
}

/** Returns the back-off after a failed attempt, ms: 2^attempt seconds (2 s, then 4 s), or longer if the server asks. */
export function retryDelayMs(attempt: number, retry_after_s = 0): number {
  const requested_s = retry_after_s > 0 ? retry_after_s : 0;
  return Math.max(2 ** attempt, requested_s) * 1000;
}
