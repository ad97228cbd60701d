import { type Activity, ActivityDetail, getActivity, listActivities } from '@sendlap/contract/activities.ts';
import type { Reply } from '@sendlap/contract/wire/endpoint.ts';
import { isoWeekAt } from '@sendlap/domain/dates.ts';
import { type InfiniteData, infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { call, session } from '#web/shared/api/client.ts';
import { createCopies } from '#web/shared/copies/copies.ts';
import { loadActivities, loadActivity, saveActivities } from '#web/shared/local-db/activities.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import type { ServerSnapshot } from '#web/shared/outbox/store/server-snapshot.ts';
import type { ActivityView } from './activity-view.ts';
import { type HistoryFilter, historyBounds } from './history-filter.ts';

/** The list of my newest activities has at most this many. */
export const NEWEST_ACTIVITIES = 100;
const HISTORY_PAGE_SIZE = '30';
/** How long a reply counts as fresh. The live stream reports changes, so this matters only while the stream is down. */
const STALE_MS = 60_000;

const listKey = (user_id: string) => ['activities', user_id, 'list'];
const activityKey = (user_id: string, client_id: string) => ['activities', user_id, 'one', client_id];
const copiesKey = (user_id: string) => ['activities', user_id, 'copies'];
const historyKey = (user_id: string) => ['activities', user_id, 'history'];

/** How many activities the server listed last, and when: an empty list leaves no copy of an activity. */
const listedCounts = createCopies('activities_listed', z.number());

const saveCopies = (user_id: string, activities: Activity[]): Promise<void> =>
  saveActivities(user_id, activities, () => session.getState().user?.id === user_id);

/** My newest activities, from the server. */
export function listActivitiesQuery(user_id: string) {
  return queryOptions({
    queryKey: listKey(user_id),
    async queryFn({ signal }) {
      const asked_at = Date.now();
      // If the list of synced activities can't be read from the disk, fetch and show the server's list anyway.
      const expected_ids = await outbox.store.listSynced(user_id).catch(() => []);
      const { items: listed, next_cursor } = await call(
        listActivities,
        { query: { limit: String(NEWEST_ACTIVITIES) } },
        { signal },
      );
      const items = withAcked(asOf(asked_at, listed), await readAcked(user_id));
      applyServerSnapshot(user_id, { activities: items, expected_ids });
      listedCounts.save(user_id, items.length);
      void saveCopies(user_id, items).then(() => markMissingAsDeleted(user_id, { items, next_cursor, asked_at }));
      return items;
    },
    staleTime: STALE_MS,
  });
}

interface Dated {
  value: Activity;
  /** When it was asked for, or copied, ms epoch. */
  cached_at: number;
}

const asOf = (cached_at: number, activities: Activity[]): Dated[] => activities.map((value) => ({ value, cached_at }));

type Acked = Awaited<ReturnType<typeof outbox.store.listAcked>>;

/** Returns what the server answered to ops of this device; nothing if the disk cannot be read. */
const readAcked = (user_id: string): Promise<Acked> => outbox.store.listAcked(user_id).catch(() => []);

/**
 * Returns the activities, each as the server's answer to an op says if that came later: a reply may have been on its way,
 * and the app may have ended between that answer and its copy.
 */
function withAcked(activities: Dated[], acked: Acked): Activity[] {
  // A clock that has been set back since makes answers of the future.
  const now = Date.now();
  const acked_by_id = new Map(acked.map((one) => [one.server.client_id, one]));
  return activities.map(({ value, cached_at }) => {
    const one = acked_by_id.get(value.client_id);
    return one && one.acked_at > cached_at && one.acked_at <= now ? one.server : value;
  });
}

/**
 * Updates the outbox's activities to the server's state. A failed write is ignored: the next list repeats the update.
 */
function applyServerSnapshot(user_id: string, snapshot: ServerSnapshot): void {
  outbox.store.applyServerSnapshot(user_id, snapshot).catch(() => {});
}

/**
 * Marks copies as deleted that are older than the request and missing from the list: they were deleted on another
 * device.
 */
async function markMissingAsDeleted(
  user_id: string,
  { items, next_cursor, asked_at }: Reply<typeof listActivities> & { asked_at: number },
): Promise<void> {
  const listed = new Set(items.map((activity) => activity.client_id));
  const oldest = next_cursor === null ? '' : (items.at(-1)?.started_at ?? '');
  const missing = (await loadActivities(user_id)).filter(
    ({ value, cached_at }) => cached_at < asked_at && value.started_at > oldest && !listed.has(value.client_id),
  );
  if (missing.length > 0)
    await saveCopies(
      user_id,
      missing.map(({ value }) => ({ ...value, status: 'deleted' })),
    );
}

export interface ActivityCopies {
  items: Activity[];
  /** When the server last listed them, as far as this device knows, ms epoch; null if this device has no answer. */
  cached_at: number | null;
  /** The server listed no activities when it was last asked. */
  listed_none: boolean;
}

/** This device's copies of my activities: available at once and offline. */
export function listActivityCopiesQuery(user_id: string) {
  return queryOptions({
    queryKey: copiesKey(user_id),
    async queryFn(): Promise<ActivityCopies> {
      const [copies, listed, acked] = await Promise.all([
        loadActivities(user_id),
        listedCounts.load(user_id),
        readAcked(user_id),
      ]);
      // News of a single activity, as of one that this device has sent, makes no list younger.
      const times = (listed ? [listed] : copies).map((copy) => copy.cached_at);
      const cached_at = times.length > 0 ? Math.max(...times) : null;
      return { items: withAcked(copies, acked), cached_at, listed_none: listed?.value === 0 };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

type HistoryPage = Reply<typeof listActivities>;

/** My activities that match the filter, page by page, newest first. */
export function listHistoryQuery(user_id: string, filter: HistoryFilter) {
  const { sport, status } = filter;
  return infiniteQueryOptions({
    queryKey: [...historyKey(user_id), filter],
    async queryFn({ pageParam, signal }): Promise<HistoryPage> {
      const query = {
        limit: HISTORY_PAGE_SIZE,
        ...historyBounds(filter),
        ...(sport ? { sport } : {}),
        ...(status ? { status } : {}),
        ...(pageParam ? { cursor: pageParam } : {}),
      };
      const asked_at = Date.now();
      const page = await call(listActivities, { query }, { signal });
      const items = withAcked(asOf(asked_at, page.items), await readAcked(user_id));
      void saveCopies(user_id, items);
      return { ...page, items };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    staleTime: STALE_MS,
  });
}

/** Proofs and ledger of an activity. */
export const detail_copies = createCopies('activity detail', z.pick(ActivityDetail, { proofs: true, ledger: true }));

/** One activity with its proofs and ledger; both are also copied to this device. */
export function getActivityQuery(user_id: string, client_id: string) {
  return queryOptions({
    queryKey: activityKey(user_id, client_id),
    async queryFn({ signal }): Promise<ActivityDetail> {
      const asked_at = Date.now();
      const { proofs, ledger, ...activity } = await call(getActivity, { params: { client_id } }, { signal });
      detail_copies.save(user_id, { proofs, ledger }, client_id);
      void readAcked(user_id).then((acked) => saveCopies(user_id, withAcked(asOf(asked_at, [activity]), acked)));
      return { ...activity, proofs, ledger };
    },
    staleTime: STALE_MS,
  });
}

/** This device's copy of one activity; null: none. */
export function getActivityCopyQuery(user_id: string, client_id: string) {
  return queryOptions({
    queryKey: ['copy', user_id, 'activity', client_id],
    queryFn: () => loadActivity(user_id, client_id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** Applies the server's new state of one activity to every cached query and to the offline copies. */
export function applyServerActivity(queries: QueryClient, user_id: string, activity: Activity): void {
  const is_deleted = activity.status === 'deleted';
  const without = (items: Activity[]) => items.filter((item) => item.client_id !== activity.client_id);
  const upsert = (items: Activity[]) => (is_deleted ? without(items) : [activity, ...without(items)]);
  const list = { queryKey: listKey(user_id) };
  const needs_refetch = isStaleOrFetching(queries, list.queryKey);
  queries.setQueryData<Activity[]>(list.queryKey, (items) => items && upsert(items));
  const one = { queryKey: activityKey(user_id, activity.client_id) };
  queries.setQueryData<ActivityDetail>(one.queryKey, (cached) => cached && { ...cached, ...activity });
  // Its proofs have changed too.
  void queries.invalidateQueries(one);
  applyToHistory(queries, user_id, activity);
  queries.setQueryData<ActivityCopies>(
    copiesKey(user_id),
    (copies) => copies && { ...copies, items: upsert(copies.items) },
  );
  if (needs_refetch) void queries.invalidateQueries(list);
  applyServerSnapshot(user_id, { activities: [activity] });
  void saveCopies(user_id, [activity]);
}

/**
 * Returns whether the event says that an activity runs which this device knows as finished. After a break the stream sends
 * older events again, so only the server can tell whether the finish was undone on another phone.
 */
export function isBackToRunning(queries: QueryClient, user_id: string, activity: Activity): boolean {
  if (activity.status !== 'active') return false;
  const isIt = ({ client_id }: Pick<Activity, 'client_id'>) => client_id === activity.client_id;
  const local = outbox.getSnapshot().activities.find(isIt)?.server;
  const copies = queries.getQueryData<ActivityCopies>(copiesKey(user_id))?.items;
  const known = local ?? queries.getQueryData<Activity[]>(listKey(user_id))?.find(isIt) ?? copies?.find(isIt);
  return known !== undefined && known.status !== 'active';
}

/**
 * Whether a matching query is invalidated or in flight. Writing the change would clear the invalidation, and a response
 * requested before the change would undo it; so the caller refetches such queries.
 */
function isStaleOrFetching(queries: QueryClient, queryKey: string[]): boolean {
  const found = queries.getQueryCache().findAll({ queryKey });
  return found.some(({ state }) => state.isInvalidated || state.fetchStatus !== 'idle');
}

/**
 * Updates the activity on every page that shows it. If no page has it, the page boundaries move, so the pages are
 * refetched.
 */
function applyToHistory(queries: QueryClient, user_id: string, activity: Activity): void {
  const queryKey = historyKey(user_id);
  const needs_refetch = isStaleOrFetching(queries, queryKey);
  let found = false;
  const update = (item: Activity) => {
    if (item.client_id !== activity.client_id) return item;
    found = true;
    return activity;
  };
  queries.setQueriesData<InfiniteData<HistoryPage>>({ queryKey }, (data) => {
    if (!data) return undefined;
    return { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(update) })) };
  });
  if (!found || needs_refetch) void queries.invalidateQueries({ queryKey });
}

/** The live stream may have missed events: refetches all activities. */
export function refetchActivities(queries: QueryClient, user_id: string): void {
  void queries.invalidateQueries({ queryKey: listKey(user_id) });
  void queries.invalidateQueries({ queryKey: ['activities', user_id, 'one'] });
  void queries.invalidateQueries({ queryKey: historyKey(user_id) });
}

/**
 * Returns the newest ISO week that may have activities which this device did not load, beyond the server's newest ones;
 * null if all are loaded. `activities`: newest start first.
 */
export function newestPartialWeek(
  activities: readonly Pick<ActivityView, 'started_at'>[],
  time_zone: string,
): string | null {
  const last_loaded = activities[NEWEST_ACTIVITIES - 1];
  return last_loaded ? isoWeekAt(Date.parse(last_loaded.started_at), time_zone) : null;
}
