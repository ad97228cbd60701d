import { Badge, listBadges } from '@sendlap/contract/badges.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { call } from '#web/shared/api/client.ts';
import { createCopies } from '#web/shared/copies/copies.ts';

export type BadgeCopy = z.infer<typeof Badge>;

/** How long a reply counts as fresh. */
const STALE_MS = 30_000;
const ALL = ['badges'];
export const badge_copies = createCopies('badges', z.array(Badge));

/** All badges in shelf order; also copied to this device. */
export function listBadgesQuery(user_id: string) {
  return queryOptions({
    queryKey: [...ALL, user_id],
    async queryFn({ signal }) {
      const { items } = await call(listBadges, {}, { signal });
      badge_copies.save(user_id, items);
      return items;
    },
    staleTime: STALE_MS,
    refetchOnMount: 'always',
  });
}

/** A badge was earned or made progress: refetches the shelf. */
export function refetchBadges(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: ALL });
}
