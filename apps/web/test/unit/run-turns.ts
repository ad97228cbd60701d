/** More hops than the longest chain of requests, transactions and zero timers that one action starts in a test. */
const TURNS = 30;

// Taken before a test installs fake timers.
const { setTimeout: startTimer } = globalThis;

/**
 * For tests: completes the pending work in memory, counted in turns of the event loop instead of time, so that a slow
 * machine does as much of it as a fast one. Each turn runs the zero timers, immediates and promises that are due.
 */
export async function runTurns(turns = TURNS): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await new Promise((resolve) => startTimer(resolve));
  }
}
