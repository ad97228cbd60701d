import type { Dashboard } from '@sendlap/contract/dashboard.ts';
import { isoWeekAt } from '@sendlap/domain/dates.ts';

/** Whether `now` (ms epoch by the server's clock) is in the dashboard's week, in that week's time zone. */
export function isCurrentWeek({ key, time_zone }: Pick<Dashboard['week'], 'key' | 'time_zone'>, now: number): boolean {
  return isoWeekAt(now, time_zone) === key;
}
