/** Retry interval for code that failed to load, unless a retry may succeed earlier. */
const RETRY_INTERVAL_MS = 60_000;

interface LoadWithRetryDeps<Code> {
  load: () => Promise<Code>;
  /** Resolves after the delay, or earlier if a retry may succeed or `signal` aborts. */
  wait: (delay_ms: number, signal: AbortSignal) => Promise<void>;
}

/** Retries until the code has loaded. Returns null if `signal` aborted before. Never rejects. */
export async function loadWithRetry<Code>(
  { load, wait }: LoadWithRetryDeps<Code>,
  signal: AbortSignal,
): Promise<Code | null> {
  while (!signal.aborted) {
    try {
      const code = await load();
      return signal.aborted ? null : code;
    } catch {
      await wait(RETRY_INTERVAL_MS, signal);
    }
  }
  return null;
}
