import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { loadMetadata, saveMetadata } from '#web/shared/copies/metadata.ts';

/** A list that the server told, kept on this device under `name` for a time without network. */
export function createKeptList<Item extends z.ZodMiniType>(name: string, item: Item) {
  const Kept = z.object({ items: z.array(item), kept_at: z.number() });
  return {
    save(user_id: string, items: z.infer<Item>[]): void {
      void saveMetadata(`${name}:${user_id}`, { items, kept_at: Date.now() }, user_id);
    },
    /** What this device last heard, and when (ms epoch of this device); null: nothing. Beside the server's, by its key. */
    query: (queryKey: readonly [string, string]) =>
      queryOptions({
        queryKey: [...queryKey, 'kept'],
        async queryFn() {
          const kept = Kept.safeParse(await loadMetadata(`${name}:${queryKey[1]}`));
          return kept.success ? kept.data : null;
        },
        networkMode: 'always',
      }),
  };
}
