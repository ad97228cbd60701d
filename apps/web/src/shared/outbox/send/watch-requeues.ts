import type { SendStore } from '../store/send-store.ts';

/** The server was restored: what it lacks was queued again, before the rows that were about to be sent. */
export class RequeuedError extends Error {}

export interface RequeueDeps {
  /** How often work was queued again, in this page life; waits while that is under way. Omitted: never. */
  countRequeues?: () => Promise<number>;
}

/**
 * Call before the rows are read, and what it returns right before they are sent: that throws RequeuedError if other rows
 * come first by now. The refresh between the two may have named another epoch.
 */
export async function watchRequeues({ countRequeues = async () => 0 }: RequeueDeps): Promise<() => Promise<void>> {
  const before = await countRequeues();
  return async () => {
    if ((await countRequeues()) !== before) throw new RequeuedError();
  };
}

/** Saves the epochs that the server names, and counts how often that queued work again. */
export function createRequeues(store: Pick<SendStore, 'saveEpoch'>, onRequeued: () => void) {
  let count = 0;
  let saving: Promise<unknown> = Promise.resolve();

  async function save(epoch: string): Promise<void> {
    if (!(await store.saveEpoch(epoch))) return;
    count += 1;
    onRequeued();
  }

  return {
    saveEpoch(epoch: string): Promise<void> {
      const saved = save(epoch);
      saving = Promise.all([saving, saved.catch(() => {})]);
      return saved;
    },
    async countRequeues(): Promise<number> {
      await saving;
      return count;
    },
  };
}
