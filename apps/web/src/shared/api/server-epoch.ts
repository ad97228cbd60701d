import { createListeners } from '#web/shared/lib/store.ts';

/** The epoch that the server names with each access token: another one says that it was restored from a backup. */
export function createServerEpoch() {
  const listeners = createListeners<[epoch: string]>();
  let latest: string | null = null;
  return {
    observe(epoch: string): void {
      if (epoch === latest) return;
      latest = epoch;
      listeners.notify(epoch);
    },
    /** Returns null if the server has named none yet. */
    latest: () => latest,
    /** Calls back with the latest epoch, now if there is one, and with each new one. */
    subscribe(listener: (epoch: string) => void): void {
      listeners.subscribe(listener);
      if (latest !== null) listener(latest);
    },
  };
}
