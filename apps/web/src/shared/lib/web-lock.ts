/** The lock held while a city's saved data is changed. */
export function cityLockName(id: string): string {
  return `sendlap-city-${id}`;
}

/** Runs `work` while no other tab holds the lock. If one does, skips it, or waits for the lock with `should_wait`. */
export async function withLock(lock: string, work: () => Promise<void>, should_wait = false): Promise<void> {
  if (!navigator.locks) return work();
  await navigator.locks.request(lock, { ifAvailable: !should_wait }, async (held) => {
    if (held) await work();
  });
}
