/** The epoch that the server names with each access token: another one says that it was restored from a backup. */
export function createServerEpoch() {
  const listeners = new Set<(epoch: string) => void>();
  let latest: string | null = null;
  return {
    observe(epoch: string): void {
      if (epoch === latest) return;
      latest = epoch;
      for (const listener of listeners) listener(epoch);
    },
    /** Calls back with the latest epoch, now if there is one, and with each new one. */
    subscribe(listener: (epoch: string) => void): void {
      listeners.add(listener);
      if (latest !== null) listener(latest);
    },
  };
}
