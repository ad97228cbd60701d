import { isTokenExpired } from '@sendlap/domain/session-machine.ts';

export interface AccessToken {
  /** The token, or null when there is none or it counts as expired. */
  valid(): string | null;
  /** The last token received, valid or not: what a request was sent with. */
  current(): string | null;
  set(access_token: string, expires_in_s: number | undefined): void;
  clear(): void;
  /** How often it was cleared: a reply that was asked for before a logout must not bring the token back. */
  clearings(): number;
}

/** The access token, in memory only. Its life is measured on a monotonic clock (ms) from its receipt. */
export function createAccessToken(monotonicNow: () => number): AccessToken {
  let token: string | null = null;
  let expires_at_ms: number | null = null;
  let clearings = 0;
  return {
    valid: () => (isTokenExpired(expires_at_ms, monotonicNow()) ? null : token),
    current: () => token,
    set(access_token, expires_in_s) {
      token = access_token;
      expires_at_ms = expires_in_s === undefined ? null : monotonicNow() + expires_in_s * 1000;
    },
    clear() {
      token = null;
      expires_at_ms = null;
      clearings++;
    },
    clearings: () => clearings,
  };
}
