import { isoWeekEverywhere } from '@sendlap/domain/dates.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { deviceTimeZone } from '#web/shared/device/time-zone.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import type { BoardFilter } from './board-filter.ts';
import { presentKey } from './periods.ts';
import { getLeaderboardQuery } from './queries.ts';

/** The key of the present week or season of a board, also while an earlier one is looked at; null for all time. */
export function usePresentKey(user_id: string, filter: BoardFilter): string | null {
  const now_ms = useServerNow();
  const timeZone = deviceTimeZone();
  // Asked for only where the answer matters: while the zones of the earth are in two weeks.
  const enabled = isoWeekEverywhere(now_ms) === undefined;
  const query = useInfiniteQuery({ ...getLeaderboardQuery(user_id, { ...filter, key: null }), enabled });
  if (filter.period === 'all') return null;
  const page = query.data?.pages[0];
  const told = page ? { key: page.period.key, is_copy: page.cached_at !== null || query.isError } : null;
  return presentKey(filter.period, now_ms, timeZone, told);
}
