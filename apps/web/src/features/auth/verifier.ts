/** How long a sign-in may take from leaving for the provider to the callback. */
export const VERIFIER_LIFETIME_MS = 600_000;

const PREFIX = 'oauth-verifier:';

interface StoredVerifier {
  code_verifier: string;
  expires_at: number;
}

const memory = new Map<string, StoredVerifier>();

/** Stores the verifier of a sign-in under its state, in memory and in this tab's session storage, for 10 minutes. */
export function storeVerifier(state: string, code_verifier: string, now_ms: number): void {
  const stored = { code_verifier, expires_at: now_ms + VERIFIER_LIFETIME_MS };
  memory.set(state, stored);
  try {
    sessionStorage.setItem(PREFIX + state, JSON.stringify(stored));
  } catch {
    // Memory alone works if the provider returns to the same page without a reload.
  }
}

/** Returns the verifier of a state and removes it. Returns undefined if it is unknown or older than 10 minutes. */
export function takeVerifier(state: string, now_ms: number): string | undefined {
  const stored = memory.get(state) ?? readStoredVerifier(state);
  memory.delete(state);
  try {
    sessionStorage.removeItem(PREFIX + state);
  } catch {
    // Without session storage nothing was stored there.
  }
  return stored && now_ms < stored.expires_at ? stored.code_verifier : undefined;
}

function readStoredVerifier(state: string): StoredVerifier | undefined {
  try {
    const parsed = JSON.parse(sessionStorage.getItem(PREFIX + state) ?? 'null') as Partial<StoredVerifier> | null;
    if (typeof parsed?.code_verifier !== 'string' || typeof parsed.expires_at !== 'number') return undefined;
    return { code_verifier: parsed.code_verifier, expires_at: parsed.expires_at };
  } catch {
    return undefined;
  }
}
