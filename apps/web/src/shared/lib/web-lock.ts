/** The Web Locks of a browser; undefined in one that has none. */
export type Locks = Pick<LockManager, 'request'> | undefined;

interface WebLock {
  /**
   * Runs the work alone among all callers of this lock in this browser, those of the same tab or worker included, in the
   * order of their calls. Rejects if the signal aborts before its turn; without Web Locks the signal is ignored.
   */
  run<Value>(work: () => Promise<Value>, signal?: AbortSignal): Promise<Value>;
  /** Runs the work if no caller, of this tab or another, holds the lock, and skips it otherwise. Returns whether it ran. */
  runIfFree(work: () => Promise<unknown>): Promise<boolean>;
}

/**
 * Returns a lock of this browser. Without Web Locks, only the runs of this object take turns, and `runIfFree` always
 * runs at once.
 */
export function createWebLock(name: string, locks: Locks): WebLock {
  let last: Promise<unknown> = Promise.resolve();
  return {
    async run(work, signal) {
      if (locks) return await locks.request(name, signal ? { signal } : {}, work);
      const result = last.then(work);
      last = result.catch(() => {});
      return await result;
    },
    async runIfFree(work) {
      if (locks)
        return await locks.request(name, { ifAvailable: true }, async (lock) => {
          if (lock) await work();
          return lock !== null;
        });
      await work();
      return true;
    },
  };
}

/** Runs the work under the lock with this name, as `run` does; at once if the browser has no locks. */
export function withLock<Value>(name: string, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
  return createWebLock(name, navigator.locks).run(work, signal);
}

/** Runs the work if the lock with this name is free, as `runIfFree` does. */
export function withFreeLock(name: string, work: () => Promise<void>): Promise<boolean> {
  return createWebLock(name, navigator.locks).runIfFree(work);
}
