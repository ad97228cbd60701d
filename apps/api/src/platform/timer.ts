/** Monotonic time and delays; tests pass one that they advance by hand. */
export interface Timer {
  /** Milliseconds since an arbitrary moment. */
  now(): number;
  /** Calls `run` after the delay; does not keep the process alive. Returns a function that cancels it. */
  after(delay_ms: number, run: () => void): () => void;
}

export const systemTimer: Timer = {
  now: () => performance.now(),
  after(delay_ms, run) {
    const timeout = setTimeout(run, delay_ms).unref();
    return () => clearTimeout(timeout);
  },
};
