interface Limits {
  max_running: number;
  max_waiting: number;
  /** Default: a call waits as long as it takes. */
  max_wait_ms?: number;
  /** The error of a call whose work does not run. */
  toRefusal: () => Error;
}

/** Runs the work when its turn comes. Refuses it if `isStillNeeded` returns false by then. */
export type RunLimited = <Result>(work: () => Promise<Result>, isStillNeeded?: () => boolean) => Promise<Result>;

/** Limits concurrency. Refuses a call if too many already wait, and one that has waited too long. */
export function createConcurrencyLimit({ max_running, max_waiting, max_wait_ms, toRefusal }: Limits): RunLimited {
  const waiting = new Set<() => void>();
  let running = 0;

  function waitForTurn(): Promise<void> {
    if (waiting.size >= max_waiting) throw toRefusal();
    return new Promise((resolve, reject) => {
      const proceed = () => {
        clearTimeout(timer);
        waiting.delete(proceed);
        resolve();
      };
      const giveUp = () => {
        waiting.delete(proceed);
        reject(toRefusal());
      };
      const timer = max_wait_ms === undefined ? undefined : setTimeout(giveUp, max_wait_ms);
      waiting.add(proceed);
    });
  }

  return async (work, isStillNeeded = () => true) => {
    if (running >= max_running) await waitForTurn();
    else running += 1;
    try {
      if (!isStillNeeded()) throw toRefusal();
      return await work();
    } finally {
      // A finished call hands its slot to the next one.
      const [next] = waiting;
      if (next) next();
      else running -= 1;
    }
  };
}
