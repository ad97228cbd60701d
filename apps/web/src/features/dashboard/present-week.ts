import type { Dashboard } from '@sendlap/contract/dashboard.ts';
import { isoWeekAt } from '@sendlap/domain/dates.ts';

/** Whether the week that the server told of is the one that `now` (ms epoch by the server's clock) lies in, where it counts. */
export function isPresentWeek({ key, time_zone }: Pick<Dashboard['week'], 'key' | 'time_zone'>, now: number): boolean {
  return isoWeekAt(now, time_zone) === key;
}
