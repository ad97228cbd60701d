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

/** Held for the life of the page: Chromium cuts off a bucket's databases when nothing refers to the bucket any longer. */
let bucket_promise: Promise<StorageBucket> | undefined;

/**
 * Returns the database factory for copies of server data: that of a bucket of their own. Chromium deletes all databases
 * of a bucket if it was killed while it wrote to one of them, and copies are written all the time. The outbox and this
 * browser's keys exist nowhere else, so they stay outside. Browsers without buckets have one place for all databases.
 */
export async function getCopiesIndexedDb(): Promise<IDBFactory> {
  bucket_promise ??= navigator.storageBuckets?.open('copies');
  return (await bucket_promise)?.indexedDB ?? indexedDB;
}

/** The next call opens the bucket again: it was deleted (site data cleared, evicted) or could not be opened. */
export function resetCopiesBucket(): void {
  bucket_promise = undefined;
}

/** Asks the browser to keep the outbox, the keys and the copies when the disk gets full; it may refuse. Never rejects. */
export async function requestPersistentStorage(): Promise<void> {
  await navigator.storage?.persist?.().catch(() => {});
  const bucket = await bucket_promise?.catch(() => undefined);
  await bucket?.persist().catch(() => {});
}
