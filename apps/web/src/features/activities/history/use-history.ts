import type { Activity } from '@sendlap/contract/activities.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { isUnreachable } from '#web/shared/api/errors.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { deviceTimeZone } from '#web/shared/device/time-zone.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';
import { type ActivityView, mergeActivities } from '../record/activity-view.ts';
import { fitsHistory, type HistoryFilter } from '../record/history-filter.ts';
import { listActivitiesQuery, listActivityCopiesQuery, listHistoryQuery } from '../record/queries.ts';

export interface History {
  /** Newest start first, without the running activity. */
  activities: ActivityView[];
  loading: boolean;
  error: unknown;
  /** Set if the server can't be reached: when this device's copy was fetched, ms epoch. null: up to date. */
  cached_at: number | null;
  /** null: all pages are loaded, or the next page failed. */
  loadMore: (() => void) | null;
  /** Retries the page that failed; null if none did. */
  retryMore: (() => void) | null;
  loading_more: boolean;
  retry: () => void;
}

/**
 * My activities that match a filter, merged from the server's pages and this device's own ops; offline, from its
 * copies.
 */
export function useHistory(filter: HistoryFilter): History {
  const user = useUser();
  const outbox = useOutbox();
  const online = useOnline();
  const fresh = useInfiniteQuery(listHistoryQuery(user.id, filter));
  const offline = !online || (fresh.isError && isUnreachable(fresh.error));
  // Each loaded history page adds copies, so they are read again from the disk.
  const copies = useQuery({ ...listActivityCopiesQuery(user.id), staleTime: 0, enabled: offline });
  const pages = fresh.data?.pages.flatMap((page) => page.items) ?? null;
  const newest = useQuery(listActivitiesQuery(user.id));
  // A filtered page omits activities that no longer match it; their current state is only in the other list.
  const known = withOthers(pages, (offline ? copies.data?.items : newest.data) ?? null, offline);
  const reached = !offline && pages && fresh.hasNextPage ? (pages.at(-1)?.started_at ?? null) : null;
  const failed_more = fresh.isFetchNextPageError;
  const more = () => void fresh.fetchNextPage();
  const time_zone = deviceTimeZone();
  return {
    activities: mergeActivities(outbox, known ?? [])
      .filter((activity) => activity.status !== 'active' && fitsHistory(filter, activity, time_zone))
      // Hide synced activities older than the last loaded page: the ones between are not loaded yet.
      .filter(
        (activity) =>
          reached === null ||
          activity.proof === 'saved' ||
          activity.proof === 'refused' ||
          activity.started_at >= reached,
      ),
    loading: !outbox.loaded || (known === null && (offline || !fresh.isError)),
    error: known === null ? fresh.error : null,
    cached_at: offline ? fresh.dataUpdatedAt || (copies.data?.cached_at ?? null) : null,
    loadMore: fresh.hasNextPage && !offline && !failed_more ? more : null,
    retryMore: failed_more && online ? more : null,
    loading_more: fresh.isFetchingNextPage,
    retry: () => void fresh.refetch(),
  };
}

/**
 * Merges the pages with activities known from elsewhere; without pages, returns the others only while offline
 * (`alone`).
 */
function withOthers(pages: Activity[] | null, others: Activity[] | null, alone: boolean): Activity[] | null {
  if (!others || (!pages && !alone)) return pages;
  const listed = new Set(pages?.map((activity) => activity.client_id));
  return [...(pages ?? []), ...others.filter((other) => !listed.has(other.client_id))];
}
