interface StorageBucket {
  indexedDB: IDBFactory;
  persist(): Promise<boolean>;
}

declare global {
  interface Navigator {
    /** Chromium's own so far. */
    storageBuckets?: { open(name: string): Promise<StorageBucket> };
  }
}

/** Held for the life of the page: Chromium cuts the databases of a bucket off when nothing refers to the bucket any more. */
let held: StorageBucket | undefined;

/**
 * Where copies are kept: in a bucket of their own. Chromium throws away all databases of a bucket when it was killed in
 * the middle of a write to one of them, and copies are written all the time; what exists nowhere else (the outbox, the
 * keys of this browser) is not in their bucket. The other browsers have one place for all, and not that fault.
 */
export async function openCopiesBucket(): Promise<{ databases: IDBFactory; persist: () => Promise<boolean> }> {
  held ??= await navigator.storageBuckets?.open('copies');
  const bucket = held;
  const persist = async () => (await navigator.storage?.persist?.()) ?? false;
  if (!bucket) return { databases: indexedDB, persist };
  return { databases: bucket.indexedDB, persist: async () => (await persist()) && bucket.persist() };
}
