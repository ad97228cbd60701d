import { AppError } from '#api/platform/errors.ts';

const RETRY_AFTER_S = 2;

interface Limits {
  max_running: number;
  max_waiting: number;
  max_wait_ms: number;
}

/** Runs the work when its turn comes. Throws `unavailable` if `isStillNeeded` returns false by then. */
export type RunLimited = <Result>(work: () => Promise<Result>, isStillNeeded?: () => boolean) => Promise<Result>;

/** Limits concurrency. Throws `unavailable` if too many calls already wait, and for a call that has waited too long. */
export function createConcurrencyLimit({ max_running, max_waiting, max_wait_ms }: Limits): RunLimited {
  const waiting = new Set<() => void>();
  let running = 0;

  function waitForTurn(): Promise<void> {
    if (waiting.size >= max_waiting) throw tooManySearches();
    return new Promise((resolve, reject) => {
      const proceed = () => {
        clearTimeout(timer);
        waiting.delete(proceed);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(proceed);
        reject(tooManySearches());
      }, max_wait_ms);
      waiting.add(proceed);
    });
  }

  return async (work, isStillNeeded = () => true) => {
    if (running >= max_running) await waitForTurn();
    else running += 1;
    try {
      if (!isStillNeeded()) throw tooManySearches();
      return await work();
    } finally {
      // A finished call hands its slot to the next one.
      const [next] = waiting;
      if (next) next();
      else running -= 1;
    }
  };
}

export function tooManySearches(cause?: unknown): AppError {
  return new AppError('unavailable', 'Too many searches are running; try again in a moment', {
    cause,
    retry_after_s: RETRY_AFTER_S,
  });
}
