import { getLeaderboard, Leaderboard, LeaderboardRow } from '@sendlap/contract/leaderboards.ts';
import { isoWeekKey, localDate } from '@sendlap/domain/dates.ts';
import type { Sport } from '@sendlap/domain/scoring.ts';
import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { call, serverClock } from '#web/shared/api/client.ts';
import { isUnreachable } from '#web/shared/api/errors.ts';
import { loadMetadata, saveMetadata } from '#web/shared/local-db/metadata.ts';

/** Which board of this week. */
export interface BoardFilter {
  sport: Sport | null;
  sport_center_id: string | null;
}

/** `cached_at` (ms epoch): this device's copy of then, because the server can't be reached; null: fresh. */
export type BoardPage = Leaderboard & { cached_at: number | null };

const PAGE_SIZE = '50';
/** The stream says when a board has changed; this is only for a stream that is down. */
const STALE_MS = 30_000;
const ALL = ['leaderboards'];

const MY_RANK = 'my-rank';

const Copy = z.object({ page: Leaderboard, cached_at: z.number() });
const RankCopy = z.object({ me: z.nullable(LeaderboardRow), total: z.number() });

/** The week that it is where this device is; on a Monday morning the server's may be another. */
function thisWeek(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return isoWeekKey(localDate(serverClock.correctedNow(), timeZone));
}

function wireOf({ sport, sport_center_id }: BoardFilter) {
  return { key: thisWeek(), ...(sport ? { sport } : {}), ...(sport_center_id ? { sport_center_id } : {}) };
}

/** This week's board, page by page. */
export function getLeaderboardQuery(user_id: string, filter: BoardFilter) {
  return infiniteQueryOptions({
    queryKey: [...ALL, user_id, 'board', filter],
    queryFn: ({ pageParam, signal }) => loadPage({ user_id, filter, cursor: pageParam, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page: BoardPage) => page.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  });
}

interface PageRequest {
  user_id: string;
  filter: BoardFilter;
  cursor: string | null;
  signal: AbortSignal;
}

async function loadPage({ user_id, filter, cursor, signal }: PageRequest): Promise<BoardPage> {
  const key = `leaderboard ${filter.sport} ${filter.sport_center_id}`;
  try {
    const query = { ...wireOf(filter), limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) };
    const page = await call(getLeaderboard, { query }, { signal });
    if (cursor === null) void saveMetadata(key, { page, cached_at: Date.now() }, user_id);
    return { ...page, cached_at: null };
  } catch (error) {
    const copy = cursor === null && isUnreachable(error) ? Copy.safeParse(await loadMetadata(key)) : null;
    if (!copy?.success) throw error;
    return { ...copy.data.page, next_cursor: null, cached_at: copy.data.cached_at };
  }
}

/** My place this week on the board of all sports and centers; without the server as this device last knew it. */
export function getMyRankQuery(user_id: string) {
  return queryOptions({
    queryKey: [...ALL, user_id, 'me'],
    async queryFn({ signal }) {
      try {
        const { me, total } = await call(getLeaderboard, { query: { key: thisWeek(), limit: '1' } }, { signal });
        void saveMetadata(MY_RANK, { me, total }, user_id);
        return { me, total };
      } catch (error) {
        const copy = isUnreachable(error) ? RankCopy.safeParse(await loadMetadata(MY_RANK)) : null;
        if (!copy?.success) throw error;
        return copy.data;
      }
    },
    staleTime: STALE_MS,
  });
}

/** Some board has changed: those on the screen are read again. */
export function refetchLeaderboards(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: ALL });
}
