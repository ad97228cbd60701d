import { Dashboard, getDashboard } from '@sendlap/contract/dashboard.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { call } from '#web/shared/api/client.ts';
import { isUnreachable } from '#web/shared/api/errors.ts';
import { loadMetadata, saveMetadata } from '#web/shared/local-db/metadata.ts';

/** `cached_at` (ms epoch): this device's copy of then, because the server can't be reached; null: fresh. */
export type DashboardCopy = Dashboard & { cached_at: number | null };

/** The stream says when something has changed; this is only for a stream that is down. */
const STALE_MS = 30_000;
const ALL = ['dashboard'];
const COPY = 'dashboard';

const Copy = z.object({ dashboard: Dashboard, cached_at: z.number() });

/** Where I stand; without the server as this device last knew it. Read again whenever the screen is opened. */
export function getDashboardQuery(user_id: string) {
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

/** Something of it has changed: it is read again. */
export function refetchDashboard(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: ALL });
}
