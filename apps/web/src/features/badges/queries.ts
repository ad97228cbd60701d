import { Badge, listBadges } from '@sendlap/contract/badges.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { call } from '#web/shared/api/client.ts';
import { isUnreachable } from '#web/shared/api/errors.ts';
import { loadMetadata, saveMetadata } from '#web/shared/copies/metadata.ts';

export type BadgeCopy = z.infer<typeof Badge>;

interface Shelf {
  items: BadgeCopy[];
  /** ms epoch of this device's copy, used because the server can't be reached; null: fresh. */
  cached_at: number | null;
}

const STALE_MS = 30_000;
const ALL = ['badges'];
/** The name and the shape of this device's copy. */
export const COPY = 'badges';
export const Copy = z.object({ items: z.array(Badge), cached_at: z.number() });

/** All badges in shelf order; if the server can't be reached, this device's copy. */
export function listBadgesQuery(user_id: string) {
  return queryOptions({
    queryKey: [...ALL, user_id],
    async queryFn({ signal }): Promise<Shelf> {
      try {
        const { items } = await call(listBadges, {}, { signal });
        void saveMetadata(COPY, { items, cached_at: Date.now() }, user_id);
        return { items, cached_at: null };
      } catch (error) {
        const copy = isUnreachable(error) ? Copy.safeParse(await loadMetadata(COPY, user_id)) : null;
        if (!copy?.success) throw error;
        return copy.data;
      }
    },
    staleTime: STALE_MS,
    refetchOnMount: 'always',
  });
}

/** A badge was earned or made progress: refetches the shelf. */
export function refetchBadges(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: ALL });
}
