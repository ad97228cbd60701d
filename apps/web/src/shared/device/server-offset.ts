import { withDeviceDatabase } from './device-database.ts';

/** Among the facts. */
const OFFSET = 'server-clock';

/** The last measured offset of the device's clock, as text of `ServerClock`; null without one. */
export async function loadServerOffset(): Promise<string | null> {
  return withDeviceDatabase(async (database) => (await database.get('facts', OFFSET)) ?? null);
}

/** On disk once it resolves. A killed browser may lose the last half minute of local storage, but not this. */
export async function saveServerOffset(text: string): Promise<void> {
  await withDeviceDatabase(async (database) => {
    const transaction = database.transaction('facts', 'readwrite', { durability: 'strict' });
    await Promise.all([transaction.store.put(text, OFFSET), transaction.done]);
  });
}
