import { onTestFinished, vi } from 'vitest';

/** A module whose code can stay away, as a chunk does that the network does not bring. */
export interface MissingCode {
  setMissing(is_missing: boolean): void;
  /** How often the app has asked for it. */
  asked(): number;
}

/** `path` as the app's modules are called from here: '#web/…'. It is missing until the test says otherwise. */
export function loseCode(path: string): MissingCode {
  let is_missing = true;
  let asked = 0;
  vi.doMock(path, async (importOriginal) => {
    asked += 1;
    if (is_missing) throw new TypeError('Failed to fetch dynamically imported module');
    return importOriginal();
  });
  // React tells the console of each screen that breaks.
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

/** Code that is still on its way, as over a slow network, until the returned function is called. */
export function holdCode(path: string): () => void {
  const gate = Promise.withResolvers<void>();
  vi.doMock(path, async (importOriginal) => {
    await gate.promise;
    return importOriginal();
  });
  onTestFinished(() => {
    gate.resolve();
    vi.doUnmock(path);
  });
  return gate.resolve;
}
