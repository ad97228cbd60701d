import { Dashboard, getDashboard } from '@sendlap/contract/dashboard.ts';
import { isoWeekAt } from '@sendlap/domain/dates.ts';
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import * as z from 'zod/mini';
import { call } from '#web/shared/api/client.ts';
import { isUnreachable } from '#web/shared/api/errors.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { loadMetadata, saveMetadata } from '#web/shared/copies/metadata.ts';
import { useCopy, useShown } from '#web/shared/copies/use-copy.ts';
import { useLiveReady } from '#web/shared/live/use-live-ready.ts';
import { useLiveRefetch } from '#web/shared/live/use-live-refetch.ts';

/** `cached_at`: ms epoch of this device's copy, used because the server can't be reached; null: fresh. */
type DashboardCopy = Dashboard & { cached_at: number | null };

/** The live stream reports changes; this only matters while the stream is down. */
const STALE_MS = 30_000;
const ALL = ['dashboard'];
const COPY = 'dashboard';

const Copy = z.object({ dashboard: Dashboard, cached_at: z.number() });

/** The dashboard; if the server can't be reached, this device's copy. Refetched whenever the screen is opened. */
function getDashboardQuery(user_id: string) {
  return queryOptions({
    queryKey: [...ALL, user_id],
    async queryFn({ signal }): Promise<DashboardCopy> {
      try {
        const dashboard = await call(getDashboard, {}, { signal });
        void saveMetadata(COPY, { dashboard, cached_at: Date.now() }, user_id);
        return { ...dashboard, cached_at: null };
      } catch (error) {
        const copy = isUnreachable(error) ? Copy.safeParse(await loadMetadata(COPY, user_id)) : null;
        if (!copy?.success) throw error;
        return { ...copy.data.dashboard, cached_at: copy.data.cached_at };
      }
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
  /** Set if the server can't be reached: when this device's copy was fetched, ms epoch. null: up to date. */
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
  const copy = useCopy(COPY, user.id, Copy);
  const { data, outdated_at } = useShown<DashboardCopy>(
    query,
    copy && { ...copy.dashboard, cached_at: copy.cached_at },
  );
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
