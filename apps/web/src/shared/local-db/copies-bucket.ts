interface StorageBucket {
  indexedDB: IDBFactory;
  persist(): Promise<boolean>;
}

declare global {
  interface Navigator {
    /** Only Chromium has it so far. */
    storageBuckets?: { open(name: string): Promise<StorageBucket> };
  }
}

/** Held for the life of the page: Chromium closes the databases of a bucket when nothing refers to the bucket. */
let held: StorageBucket | undefined;

/**
 * Opens a separate bucket for copies. If Chromium is killed during a write to a database, it deletes all databases of
 * that bucket, and copies are written all the time; data that exists nowhere else (the outbox, this browser's keys) is
 * in another bucket. Other browsers have a single storage without that bug.
 */
export async function openCopiesBucket(): Promise<{ databases: IDBFactory; persist: () => Promise<boolean> }> {
  held ??= await navigator.storageBuckets?.open('copies');
  const bucket = held;
  const persist = async () => (await navigator.storage?.persist?.()) ?? false;
  if (!bucket) return { databases: indexedDB, persist };
  return { databases: bucket.indexedDB, persist: async () => (await persist()) && bucket.persist() };
}
