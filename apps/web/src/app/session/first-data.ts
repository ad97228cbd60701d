import type { FetchQueryOptions } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';

/** The skeleton is not shown for longer because of a store that does not answer. */
const PATIENCE_MS = 500;
/** Longer than the first screen takes to ask for what was read. */
const KEPT_MS = 10_000;

/** The reads of this device's data that a screen begins with. */
export type ListFirstQueries = (user_id: string) => Promise<FetchQueryOptions[]>;

/**
 * Reads what this device knows before the first screen is drawn, so that it is drawn once, with its data: a pass with a
 * skeleton takes a slow phone as long as the reading. Never rejects.
 */
export async function readFirstData(user_id: string, listQueries?: ListFirstQueries): Promise<void> {
  const reads = Promise.all([readOutbox(), listQueries?.(user_id).then(readAll)]);
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  await Promise.race([reads, patience]).catch(() => {});
}

async function readAll(queries: FetchQueryOptions[]): Promise<void> {
  await Promise.all(queries.map((query) => queryClient.prefetchQuery({ ...query, gcTime: KEPT_MS })));
}

async function readOutbox(): Promise<void> {
  const { outbox, startOutbox } = await import('#web/shared/outbox/client.ts');
  startOutbox();
  await new Promise<void>((resolve) => {
    const unsubscribe = outbox.subscribe(check);
    function check(): void {
      if (!outbox.getSnapshot().loaded) return;
      unsubscribe();
      resolve();
    }
    check();
  });
}
