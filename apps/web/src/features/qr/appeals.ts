import { Appeal, listAppeals } from '@sendlap/contract/referees.ts';
import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { call } from '#web/shared/api/client.ts';
import { loadMetadata, saveMetadata } from '#web/shared/local-db/metadata.ts';

const Kept = z.object({ items: z.array(Appeal), kept_at: z.number() });

export const appealsKey = (user_id: string) => ['appeals', user_id];
const metadataKey = (user_id: string) => `asked_appeals:${user_id}`;

/** Who asks me for another decision, newest first; each answer is kept for a time without network. */
export function listAppealsQuery(user_id: string) {
  return queryOptions({
    queryKey: appealsKey(user_id),
    async queryFn({ signal }): Promise<Appeal[]> {
      const { items } = await call(listAppeals, {}, { signal });
      void saveMetadata(metadataKey(user_id), { items, kept_at: Date.now() }, user_id);
      return items;
    },
    networkMode: 'always',
    retry: false,
  });
}

/** What this device last heard, and when (ms epoch of this device); null: nothing. */
export async function loadKeptAppeals(user_id: string): Promise<z.infer<typeof Kept> | null> {
  const kept = Kept.safeParse(await loadMetadata(metadataKey(user_id)));
  return kept.success ? kept.data : null;
}

/** Those that can still be decided at this moment (ms epoch by the server's clock), without those I scanned since. */
export function openAppeals(appeals: Appeal[], now_ms: number, scanned: ReadonlySet<string>): Appeal[] {
  return appeals.filter(({ client_id, open_until }) => Date.parse(open_until) >= now_ms && !scanned.has(client_id));
}
