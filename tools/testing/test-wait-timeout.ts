import { vi } from 'vitest';

/** Shorter than a test's own timeout, so that a failing wait names what it waited for. */
const WAIT_TIMEOUT_MS = 45_000;

// A test waits for an event, however late: the library's one second is too short on a busy machine.
const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: WAIT_TIMEOUT_MS, ...options });
