/** How long a sign-in may take from leaving for the provider to the callback. */
export const VERIFIER_LIFETIME_MS = 600_000;

const PREFIX = 'oauth-verifier:';

interface Kept {
  code_verifier: string;
  expires_at: number;
}

const memory = new Map<string, Kept>();

/** Stores the verifier of a sign-in under its state, in memory and in this tab's session storage, for 10 minutes. */
export function keepVerifier(state: string, code_verifier: string, now_ms: number): void {
  const kept = { code_verifier, expires_at: now_ms + VERIFIER_LIFETIME_MS };
  memory.set(state, kept);
  try {
    sessionStorage.setItem(PREFIX + state, JSON.stringify(kept));
  } catch {
    // Memory alone works if the provider returns to the same page without a reload.
  }
}

/** Returns the verifier of a state and removes it. Returns undefined if it is unknown or older than 10 minutes. */
export function takeVerifier(state: string, now_ms: number): string | undefined {
  const kept = memory.get(state) ?? readKept(state);
  memory.delete(state);
  try {
    sessionStorage.removeItem(PREFIX + state);
  } catch {
    // Without session storage nothing was stored there.
  }
  return kept && now_ms < kept.expires_at ? kept.code_verifier : undefined;
}

function readKept(state: string): Kept | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(PREFIX + state) ?? 'null') as Partial<Kept> | null;
    if (typeof kept?.code_verifier !== 'string' || typeof kept.expires_at !== 'number') return undefined;
    return { code_verifier: kept.code_verifier, expires_at: kept.expires_at };
  } catch {
    return undefined;
  }
}
