import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { loadMetadata, saveMetadata } from '#web/shared/copies/metadata.ts';

/** A list from the server, cached on this device under `name` for offline use. */
export function createCachedList<Item extends z.ZodMiniType>(name: string, item: Item) {
  const CachedList = z.object({ items: z.array(item), cached_at: z.number() });
  return {
    save(user_id: string, items: z.infer<Item>[]): void {
      void saveMetadata(`${name}:${user_id}`, { items, cached_at: Date.now() }, user_id);
    },
    /**
     * The cached list and when it was saved (device time, ms epoch); null: never. Its key extends the server query's
     * key.
     */
    query: (queryKey: readonly [string, string]) =>
      queryOptions({
        queryKey: [...queryKey, 'kept'],
        async queryFn() {
          const parsed = CachedList.safeParse(await loadMetadata(`${name}:${queryKey[1]}`));
          return parsed.success ? parsed.data : null;
        },
        networkMode: 'always',
      }),
  };
}
