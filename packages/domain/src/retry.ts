/** Attempts per request, the first included. */
export const MAX_ATTEMPTS = 3;
/** A server that asks for a longer wait is not asked again by the same request. */
export const MAX_RETRY_AFTER_S = 30;

const RETRYABLE_STATUSES = [0, 408, 425, 429];

export interface FailedAttempt {
  /** 1 for the first attempt. */
  attempt: number;
  /** HTTP status, 0 for a network failure or our own time-out. */
  status: number;
  /** True for a read, and for a write that carries its idempotency key: only these may arrive twice. */
  method_safe_or_keyed: boolean;
  /** The reply's Retry-After, seconds. */
  retry_after_s?: number;
}

/** Whether the request is sent again: network, 408, 425, 429 and 5xx only, at most 3 attempts. */
export function shouldRetry({ attempt, status, method_safe_or_keyed, retry_after_s = 0 }: FailedAttempt): boolean {
  if (!method_safe_or_keyed || attempt >= MAX_ATTEMPTS || retry_after_s > MAX_RETRY_AFTER_S) return false;
  return RETRYABLE_STATUSES.includes(status) || (status >= 500 && status <= 599);
}

/** How long to wait after the failed attempt, ms: 2^attempt seconds (2 s, then 4 s), or longer if the server asks. */
export function retryDelayMs(attempt: number, retry_after_s = 0): number {
  const asked = retry_after_s > 0 ? retry_after_s : 0;
  return Math.max(2 ** attempt, asked) * 1000;
}
