/** A stream that takes longer than this to open holds up no reading. */
export const PATIENCE_MS = 2_000;

/**
 * The time until the stream stands, could not be opened or has taken too long. What the stream keeps up to date is read
 * for the first time when this is over, and then not again because the stream has opened.
 * Under way from the start: components ask before the layout around them follows the stream.
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
