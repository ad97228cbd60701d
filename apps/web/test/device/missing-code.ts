import { onTestFinished, vi } from 'vitest';

/** A module whose code can fail to load, like a chunk that the network does not deliver. */
export interface MissingCode {
  setMissing(is_missing: boolean): void;
  /** Returns how often the app has requested it. */
  asked(): number;
}

/** `path` as modules of the app are imported from here: '#web/…'. Missing until the test says otherwise. */
export function loseCode(path: string): MissingCode {
  let is_missing = true;
  let asked = 0;
  vi.doMock(path, async (importOriginal) => {
    asked += 1;
    if (is_missing) throw new TypeError('Failed to fetch dynamically imported module');
    return importOriginal();
  });
  // React logs each screen that crashes to the console.
  const console_error = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => {
    vi.doUnmock(path);
    console_error.mockRestore();
  });
  return {
    setMissing(value) {
      is_missing = value;
    },
    asked: () => asked,
  };
}

/** Keeps code loading, as over a slow network, until the returned function is called. */
export function holdCode(path: string): () => void {
  const released = Promise.withResolvers<void>();
  vi.doMock(path, async (importOriginal) => {
    await released.promise;
    return importOriginal();
  });
  onTestFinished(() => {
    released.resolve();
    vi.doUnmock(path);
  });
  return released.resolve;
}
