import { openCache } from './database.ts';
import type { CacheTransaction, StoreName } from './schema.ts';

/** Changes the cache in one transaction. Throws the reason of a failure: QuotaExceededError if the disk is full. */
export async function write<Names extends StoreName[], Value>(
  stores: Names,
  work: (transaction: CacheTransaction<Names>) => Promise<Value>,
): Promise<Value> {
  const database = await openCache();
  const transaction = database.transaction(stores, 'readwrite') as CacheTransaction<Names>;
  // Always handled here: requests fail first, and only with "aborted".
  transaction.done.catch(() => {});
  try {
    const value = await work(transaction);
    await transaction.done;
    return value;
  } catch (error) {
    throw transaction.error ?? error;
  }
}
