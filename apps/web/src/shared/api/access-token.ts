import { isTokenExpired } from '@sendlap/domain/session-machine.ts';

export interface AccessToken {
  /** Returns the token, or null if it is missing or expired. */
  getValid(): string | null;
  /** Returns the last token received, valid or not: the one that a request was sent with. */
  getLatest(): string | null;
  set(access_token: string, expires_in_s: number | undefined): void;
  clear(): void;
  /** Returns a signal that aborts when the token is next cleared, which ends the requests that were sent for it. */
  untilCleared(): AbortSignal;
}

/** The access token, in memory only. Its lifetime is measured on a monotonic clock (ms) from its receipt. */
export function createAccessToken(monotonicNow: () => number): AccessToken {
  let token: string | null = null;
  let expires_at_ms: number | null = null;
  let cleared = new AbortController();
  return {
    getValid: () => (isTokenExpired(expires_at_ms, monotonicNow()) ? null : token),
    getLatest: () => token,
    set(access_token, expires_in_s) {
      token = access_token;
      expires_at_ms = expires_in_s === undefined ? null : monotonicNow() + expires_in_s * 1000;
    },
    clear() {
      token = null;
      expires_at_ms = null;
      const ended = cleared;
      cleared = new AbortController();
      ended.abort();
    },
    untilCleared: () => cleared.signal,
  };
}
