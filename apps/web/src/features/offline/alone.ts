/** The lock of whoever changes what is saved of a city. */
export function cityLock(id: string): string {
  return `sendlap-city-${id}`;
}

/** Runs work while no other tab is at what the lock names. Skips it when one is, or waits with `must`. */
export async function alone(lock: string, work: () => Promise<void>, must = false): Promise<void> {
  if (!navigator.locks) return work();
  await navigator.locks.request(lock, { ifAvailable: !must }, async (held) => {
    if (held) await work();
  });
}
