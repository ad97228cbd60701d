import { whenDone } from './when-done.ts';

/** Keeps a database busy with a write to this store: what reads it waits. Returns the function that ends that. */
export async function keepBusy(database_name: string, store_name: string): Promise<() => Promise<void>> {
  const database = await whenDone(indexedDB.open(database_name));
  const transaction = database.transaction(store_name, 'readwrite');
  const store = transaction.objectStore(store_name);
  let is_over = false;
  const write = async () => {
    while (!is_over) await whenDone(store.count());
    database.close();
  };
  const written = write();
  return () => {
    is_over = true;
    return written;
  };
}
