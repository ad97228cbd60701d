import { isoWeekWorldwide } from '@sendlap/domain/dates.ts';
import { deviceTimeZone } from '#web/shared/device/time-zone.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import type { BoardFilter } from './board-filter.ts';
import { currentPeriodKey } from './periods.ts';
import { useFirstPage } from './use-board.ts';

/** The key of a board's current week or season, also while a past one is shown; null for all time. */
export function useCurrentPeriodKey(user_id: string, filter: BoardFilter): string | null {
  const now_ms = useServerNow();
  const timeZone = deviceTimeZone();
  // Requested only when the answer matters: while the world's time zones are in two different weeks.
  const enabled = isoWeekWorldwide(now_ms) === undefined;
  const { query, data: page, is_copy } = useFirstPage(user_id, { ...filter, key: null }, enabled);
  if (filter.period === 'all') return null;
  const reported = page ? { key: page.period.key, is_copy: is_copy || query.isError } : null;
  return currentPeriodKey(filter.period, now_ms, timeZone, reported);
}
