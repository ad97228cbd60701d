/** How long until code that did not come is asked for again, where nothing gives hope before. */
const AGAIN_AFTER_MS = 60_000;

interface UntilHereDeps<Code> {
  load: () => Promise<Code>;
  /** Resolves after the delay, or earlier when there is reason for hope, or when `signal` aborts. */
  wait: (delay_ms: number, signal: AbortSignal) => Promise<void>;
}

/** Loads until it has come; null: `signal` aborted before. Never rejects. */
export async function loadUntilHere<Code>(
  { load, wait }: UntilHereDeps<Code>,
  signal: AbortSignal,
): Promise<Code | null> {
  while (!signal.aborted) {
    try {
      const code = await load();
      return signal.aborted ? null : code;
    } catch {
      await wait(AGAIN_AFTER_MS, signal);
    }
  }
  return null;
}
