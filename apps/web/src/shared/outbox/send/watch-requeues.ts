import type { SendStore } from '../store/send-store.ts';

/** The server was restored: what it may lack is queued again, and comes before the rows that were to be sent. */
export class RequeuedError extends Error {}

export interface EpochDeps {
  /** Returns the server's epoch on disk, once a save in progress has ended. Omitted: the server names no epoch. */
  readEpoch?: () => Promise<string | undefined>;
}

/**
 * Call before the rows are read. The function that it returns throws RequeuedError if other rows come first by now, as a
 * refresh, here or in another tab, has named another epoch since: call it right before the rows are sent, and before
 * the answer is saved, which would count as one of the restored server.
 */
export async function watchRequeues({ readEpoch = async () => undefined }: EpochDeps): Promise<() => Promise<void>> {
  const before = await readEpoch();
  return async () => {
    if ((await readEpoch()) !== before) throw new RequeuedError();
  };
}

/**
 * Saves the epochs that the server names; with each new one, what it may lack is queued again. An epoch that a full disk
 * refused is saved before anything is sent, or `readEpoch` rejects: newer rows would overtake what the server lacks.
 */
export function createEpochs(store: Pick<SendStore, 'saveEpoch' | 'readEpoch'>, onRequeued: () => void) {
  let unsaved: string | undefined;
  let saving = Promise.resolve();

  function saveEpoch(epoch: string): Promise<void> {
    unsaved = epoch;
    saving = saving
      .catch(() => {})
      .then(async () => {
        const is_any_lost = await store.saveEpoch(epoch);
        if (unsaved === epoch) unsaved = undefined;
        if (is_any_lost) onRequeued();
      });
    return saving;
  }

  return {
    saveEpoch,
    async readEpoch(): Promise<string | undefined> {
      await saving.catch(() => {});
      if (unsaved !== undefined && unsaved !== (await store.readEpoch())) await saveEpoch(unsaved);
      return store.readEpoch();
    },
  };
}
