import { vi } from 'vitest';

/** Less than a test may take, so that one which waits in vain says for what. */
const PATIENCE_MS = 45_000;

// A test waits for what happens, not for how soon it does: the library's one second passes on a busy machine.
const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: PATIENCE_MS, ...options });
