import type { Activity } from '@sendlap/contract/activities.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { isUnreachable } from '#web/shared/api/errors.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';
import { type ActivityView, mergeActivities } from './activity-view.ts';
import { fitsHistory, type HistoryFilter } from './history-filter.ts';
import { listActivityCopiesQuery, listHistoryQuery } from './queries.ts';

export interface History {
  /** Newest start first; the running one is not history yet. */
  activities: ActivityView[];
  loading: boolean;
  error: unknown;
  /** The server can't be reached: what is shown is what this device keeps, ms epoch of then. null: up to date. */
  cached_at: number | null;
  /** null: everything is shown. */
  loadMore: (() => void) | null;
  loading_more: boolean;
  retry: () => void;
}

/** My activities that fit a filter, the server's pages and this device's own steps in one; offline what is kept here. */
export function useHistory(filter: HistoryFilter): History {
  const user = useUser();
  const outbox = useOutbox();
  const online = useOnline();
  const fresh = useInfiniteQuery(listHistoryQuery(user.id, filter));
  const offline = !online || (fresh.isError && isUnreachable(fresh.error));
  // Every page that was ever looked at is kept, so they are read anew.
  const copies = useQuery({ ...listActivityCopiesQuery(user.id), staleTime: 0, enabled: offline });
  const pages = fresh.data?.pages.flatMap((page) => page.items) ?? null;
  const known = offline ? withCopies(pages, copies.data?.items ?? null) : pages;
  const reached = !offline && pages && fresh.hasNextPage ? (pages.at(-1)?.started_at ?? null) : null;
  const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    activities: mergeActivities(outbox, known ?? [])
      .filter((activity) => activity.status !== 'active' && fitsHistory(filter, activity, time_zone))
      // What this device knows beyond the last page would stand there without its neighbours.
      .filter((activity) => reached === null || activity.proof === 'saved' || activity.started_at >= reached),
    loading: !outbox.loaded || (known === null && (offline || !fresh.isError)),
    error: known === null ? fresh.error : null,
    cached_at: offline ? fresh.dataUpdatedAt || (copies.data?.cached_at ?? null) : null,
    loadMore: fresh.hasNextPage && !offline ? () => void fresh.fetchNextPage() : null,
    loading_more: fresh.isFetchingNextPage,
    retry: () => void fresh.refetch(),
  };
}

function withCopies(pages: Activity[] | null, copies: Activity[] | null): Activity[] | null {
  if (!pages || !copies) return pages ?? copies;
  const listed = new Set(pages.map((activity) => activity.client_id));
  return [...pages, ...copies.filter((copy) => !listed.has(copy.client_id))];
}
