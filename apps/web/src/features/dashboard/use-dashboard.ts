import { Dashboard, getDashboard } from '@sendlap/contract/dashboard.ts';
import { isoWeekAt } from '@sendlap/domain/dates.ts';
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { call } from '#web/shared/api/client.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { createCopies } from '#web/shared/copies/copies.ts';
import { useShown } from '#web/shared/copies/use-shown.ts';
import { useLiveReady } from '#web/shared/live/use-live-ready.ts';
import { useLiveRefetch } from '#web/shared/live/use-live-refetch.ts';

/** How long a reply counts as fresh. The live stream reports changes, so this matters only while the stream is down. */
const STALE_MS = 30_000;
const ALL = ['dashboard'];
const copies = createCopies('dashboard', Dashboard);

/** The dashboard, also copied to this device. Refetched whenever the screen is opened. */
function getDashboardQuery(user_id: string) {
  return queryOptions({
    queryKey: [...ALL, user_id],
    async queryFn({ signal }) {
      const dashboard = await call(getDashboard, {}, { signal });
      copies.save(user_id, dashboard);
      return dashboard;
    },
    staleTime: STALE_MS,
    refetchOnMount: 'always',
  });
}

/** The dashboard has changed: refetches it. */
function refetchDashboard(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: ALL });
}

/** Whether `now` (ms epoch by the server's clock) is in the dashboard's week, in that week's time zone. */
export function isCurrentWeek({ key, time_zone }: Pick<Dashboard['week'], 'key' | 'time_zone'>, now: number): boolean {
  return isoWeekAt(now, time_zone) === key;
}

export interface DashboardState {
  /** null: not loaded yet, or failed (`error`). */
  dashboard: Dashboard | null;
  /** Why the dashboard can't be shown; null if it can. */
  error: unknown;
  /** False: the data is of another week, so its "this week" is over. */
  is_current_week: boolean;
  /** When the shown data was read, ms epoch, if the server can't be reached or is slow; null: up to date. */
  cached_at: number | null;
  /** A refetch is running: until it ends, the activities may be newer than the dashboard. */
  refreshing: boolean;
  retry: () => void;
}

const REFETCH_EVENTS = ['activity_changed', 'badge_earned', 'leaderboard_changed'];

/**
 * The dashboard, updated while the screen is mounted. `now`: ms epoch by the server's clock, renewed every minute;
 * after the end of the week it is refetched until the server reports the next week.
 */
export function useDashboard(now: number): DashboardState {
  const user = useUser();
  const queries = useQueryClient();
  const query = useQuery({ ...getDashboardQuery(user.id), enabled: useLiveReady() });
  const { data, outdated_at } = useShown(query, useQuery(copies.query(user.id)).data);
  useLiveRefetch(
    ({ type }) => REFETCH_EVENTS.includes(type),
    () => refetchDashboard(queries),
  );
  const is_current_week = !data || isCurrentWeek(data.week, now);
  const refetchAfterWeekEnd = useEffectEvent((at: number) => {
    if (data && !isCurrentWeek(data.week, at)) refetchDashboard(queries);
  });
  useEffect(() => refetchAfterWeekEnd(now), [now]);
  return {
    dashboard: data ?? null,
    error: data ? null : query.error,
    is_current_week,
    cached_at: outdated_at,
    refreshing: query.isFetching,
    retry: () => void query.refetch(),
  };
}
