/** More hops than the longest chain of requests, transactions and zero timers that one action begins in a test. */
const TURNS = 30;

// Taken before a test installs fake timers.
const { setTimeout: startTimer } = globalThis;

/**
 * For tests: lets work that is held in memory run out, counted in turns of the event loop instead of time, so that a
 * slow machine does as much of it as a quick one. Each turn runs zero timers, immediates and promises that are due.
 */
export async function runTurns(turns = TURNS): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await new Promise((resolve) => startTimer(resolve));
  }
}
