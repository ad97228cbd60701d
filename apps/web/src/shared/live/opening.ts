/** Reads do not wait for a stream that takes longer than this to open. */
export const OPENING_TIMEOUT_MS = 2_000;

/**
 * The phase until the stream is open, has failed to open or has taken too long. Queries that the stream keeps up to
 * date are read for the first time after it, and then not again because the stream has opened. It begins at once:
 * components read before the layout around them follows the stream.
 */
export function createOpening() {
  const listeners = new Set<() => void>();
  let is_in_progress = true;
  let timeout: ReturnType<typeof setTimeout> | undefined;
  const set = (value: boolean) => {
    clearTimeout(timeout);
    if (value) timeout = setTimeout(() => set(false), OPENING_TIMEOUT_MS);
    if (value === is_in_progress) return;
    is_in_progress = value;
    for (const listener of listeners) listener();
  };
  return {
    isInProgress: () => is_in_progress,
    begin: () => set(true),
    end: () => set(false),
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
