import { onTestFinished, vi } from 'vitest';

/** A module that can fail to load, like a chunk that the network does not deliver. */
export interface FailingModule {
  setMissing(is_missing: boolean): void;
  /** Returns how often the app has requested it. */
  requests(): number;
}

/** Makes imports of a module ('#web/…') fail until `setMissing(false)`. */
export function failModuleLoad(path: string): FailingModule {
  let is_missing = true;
  let requests = 0;
  vi.doMock(path, async (importOriginal) => {
    requests += 1;
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
    requests: () => requests,
  };
}

/** Keeps a module loading, as over a slow network, until the returned function is called. */
export function delayModuleLoad(path: string): () => void {
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
