import { createStore } from '#web/shared/lib/store.ts';

/** Reads do not wait for a stream that takes longer than this to open. */
export const OPENING_TIMEOUT_MS = 2_000;

/**
 * The phase until the stream is open, has failed to open or has taken too long. Queries that the stream keeps up to
 * date are read for the first time after it, and then not again because the stream has opened. It begins at once:
 * components read before the layout around them follows the stream.
 */
export function createOpening() {
  const { getState: isInProgress, setState, subscribe } = createStore(true);
  let timeout: ReturnType<typeof setTimeout> | undefined;
  const set = (value: boolean) => {
    clearTimeout(timeout);
    if (value) timeout = setTimeout(() => set(false), OPENING_TIMEOUT_MS);
    if (value !== isInProgress()) setState(value);
  };
  return {
    isInProgress,
    begin: () => set(true),
    end: () => set(false),
    subscribe,
  };
}
