/** Monotonic time and what waits for it; tests pass one that they move by hand. */
export interface Timer {
  /** In ms since any moment. */
  now(): number;
  /** Runs `run` once the delay has passed; keeps no process alive. Returns a function that cancels it. */
  after(delay_ms: number, run: () => void): () => void;
}

export const systemTimer: Timer = {
  now: () => performance.now(),
  after(delay_ms, run) {
    const timeout = setTimeout(run, delay_ms).unref();
    return () => clearTimeout(timeout);
  },
};
