/**
 * Runs the work alone among the tabs and workers of this browser that ask for this lock, after all who asked earlier; at
 * once if the browser has no locks. Rejects if the signal aborts before its turn.
 */
export async function withLock<Value>(name: string, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
  return navigator.locks ? await navigator.locks.request(name, signal ? { signal } : {}, work) : await work();
}

/** Runs the work if the lock is free, and skips it if another tab holds the lock. */
export async function withFreeLock(name: string, work: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return work();
  await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock) await work();
  });
}
