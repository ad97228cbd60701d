/** The Web Locks of a browser; undefined in one that has none. */
export type Locks = Pick<LockManager, 'request'> | undefined;

interface WebLock {
  /**
   * Runs the work alone among the tabs and workers of this browser that ask for this lock, after all who asked earlier.
   * Rejects if the signal aborts before its turn.
   */
  run<Value>(work: () => Promise<Value>, signal?: AbortSignal): Promise<Value>;
  /** Runs the work if the lock is free, and skips it if another tab holds the lock. Returns whether it ran. */
  runIfFree(work: () => Promise<unknown>): Promise<boolean>;
}

/** Returns a lock of this browser. Without Web Locks its runs take turns within this tab only, and it is always free. */
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
