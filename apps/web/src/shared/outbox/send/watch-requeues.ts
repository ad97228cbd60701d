import type { SendStore } from '../store/send-store.ts';

/** The server was restored: what it lacks was queued again, before the rows that were about to be sent. */
export class RequeuedError extends Error {}

export interface EpochDeps {
  /** The server's epoch as this device knows it, in any tab; waits while another one is being saved. Omitted: none. */
  readEpoch?: () => Promise<string | undefined>;
}

/**
 * Call before the rows are read, and what it returns right before they are sent: that throws RequeuedError if other rows
 * come first by now. The refresh between the two, here or in another tab, may have named another epoch.
 */
export async function watchRequeues({ readEpoch = async () => undefined }: EpochDeps): Promise<() => Promise<void>> {
  const before = await readEpoch();
  return async () => {
    if ((await readEpoch()) !== before) throw new RequeuedError();
  };
}

/** Saves the epochs that the server names; with each new one, what it may lack is queued again. */
export function createEpochs(store: Pick<SendStore, 'saveEpoch' | 'readEpoch'>, onRequeued: () => void) {
  let saving: Promise<unknown> = Promise.resolve();

  async function save(epoch: string): Promise<void> {
    if (await store.saveEpoch(epoch)) onRequeued();
  }

  return {
    saveEpoch(epoch: string): Promise<void> {
      const saved = save(epoch);
      saving = Promise.all([saving, saved.catch(() => {})]);
      return saved;
    },
    async readEpoch(): Promise<string | undefined> {
      await saving;
      return store.readEpoch();
    },
  };
}
