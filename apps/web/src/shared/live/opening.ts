/** Reads do not wait for a stream that takes longer than this to open. */
export const PATIENCE_MS = 2_000;

/**
 * The phase until the stream is open, has failed to open or has taken too long. Queries that the stream keeps up to
 * date are read for the first time after it, and then not again because the stream has opened. It begins at once:
 * components read before the layout around them follows the stream.
 */
export function createOpening() {
  const listeners = new Set<() => void>();
  let is_under_way = true;
  let patience: ReturnType<typeof setTimeout> | undefined;
  const set = (value: boolean) => {
    clearTimeout(patience);
    if (value) patience = setTimeout(() => set(false), PATIENCE_MS);
    if (value === is_under_way) return;
    is_under_way = value;
    for (const listener of listeners) listener();
  };
  return {
    isUnderWay: () => is_under_way,
    begin: () => set(true),
    end: () => set(false),
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
