import type { Activity } from '@sendlap/contract/activities.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useUser } from '#web/shared/api/use-session.ts';
import { outdatedAt } from '#web/shared/copies/choose-shown.ts';
import { useReach } from '#web/shared/copies/use-shown.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { deviceTimeZone } from '#web/shared/device/time-zone.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';
import { type ActivityView, mergeWithOutbox } from '../data/activity-view.ts';
import { type HistoryFilter, matchesHistoryFilter } from '../data/history-filter.ts';
import { listActivityCopiesQuery, listHistoryQuery } from '../data/queries.ts';
import { listShowable, useNewestActivities } from '../data/use-activities.ts';

export interface ActivityHistory {
  /** Newest start first, without the running activity. */
  activities: ActivityView[];
  loading: boolean;
  error: unknown;
  /** When the shown data was read, ms epoch, if the server can't be reached or is slow; null: up to date. */
  cached_at: number | null;
  /** null: all pages are loaded, the next one failed, or the server can't be reached or is slow. */
  loadMore: (() => void) | null;
  /** Retries the page that failed; null if none did, or without a network. */
  retryMore: (() => void) | null;
  loading_more: boolean;
  retry: () => void;
}

/**
 * My activities that match a filter, merged from the server's pages and this device's own ops; offline, from its
 * copies.
 */
export function useHistory(filter: HistoryFilter): ActivityHistory {
  const user = useUser();
  const outbox = useOutbox();
  const online = useOnline();
  const fresh = useInfiniteQuery(listHistoryQuery(user.id, filter));
  const reach = useReach(fresh);
  const offline = reach.is_cut || reach.is_slow;
  // Each loaded history page adds copies, so they are read again from the disk.
  const needs_copies = offline || fresh.isPending;
  const copies = useQuery({ ...listActivityCopiesQuery(user.id), staleTime: 0, enabled: needs_copies });
  const pages = fresh.data?.pages.flatMap((page) => page.items) ?? null;
  const newest = useNewestActivities(user.id);
  // A filtered page omits activities that no longer match it; their current state is only in the other list.
  const others = needs_copies ? listShowable(copies.data, reach) : newest.data;
  const server_activities = mergeUnlisted(pages, others ?? null, needs_copies);
  const oldest_loaded = !offline && pages && fresh.hasNextPage ? (pages.at(-1)?.started_at ?? null) : null;
  const next_page_failed = fresh.isFetchNextPageError;
  const loadNextPage = () => void fresh.fetchNextPage();
  const time_zone = deviceTimeZone();
  const activities = mergeWithOutbox(outbox, server_activities ?? [])
    .filter((activity) => activity.status !== 'active' && matchesHistoryFilter(filter, activity, time_zone))
    // Hide synced activities older than the last loaded page: the ones between are not loaded yet.
    .filter(
      (activity) =>
        oldest_loaded === null ||
        activity.proof === 'saved' ||
        activity.proof === 'refused' ||
        activity.started_at >= oldest_loaded,
    );
  // Without a page, an empty list would claim that no activity exists: only without a network are the copies all there is.
  const is_unknown = pages === null && activities.length === 0 && (online || server_activities === null);
  return {
    activities,
    loading: !outbox.loaded || (is_unknown && (!fresh.isError || (offline && server_activities === null))),
    error: is_unknown ? fresh.error : null,
    cached_at: outdatedAt(fresh.dataUpdatedAt || (copies.data?.cached_at ?? null), reach, Date.now()),
    loadMore: fresh.hasNextPage && !offline && !next_page_failed ? loadNextPage : null,
    retryMore: next_page_failed && online ? loadNextPage : null,
    loading_more: fresh.isFetchingNextPage,
    retry: () => void fresh.refetch(),
  };
}

/** Merges the pages with activities known from elsewhere; `are_copies`: the others may be shown without a page. */
function mergeUnlisted(pages: Activity[] | null, others: Activity[] | null, are_copies: boolean): Activity[] | null {
  if (!others || (!pages && !are_copies)) return pages;
  const listed = new Set(pages?.map((activity) => activity.client_id));
  return [...(pages ?? []), ...others.filter((other) => !listed.has(other.client_id))];
}
