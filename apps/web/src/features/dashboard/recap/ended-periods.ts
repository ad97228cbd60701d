import type { Recap } from '@sendlap/contract/stats.ts';
import { isoWeekAt, seasonKey } from '@sendlap/domain/dates.ts';

/**
 * Leaves out the last week if a new week began after `fetched_at`, and the season if a new one did: an old copy does
 * not know what came after it. `fetched_at` and `now`: ms epoch; weeks by this time zone.
 */
export function withoutEndedPeriods(recap: Recap, fetched_at: number, now: number, time_zone: string): Recap {
  const [week_then, week_now] = [isoWeekAt(fetched_at, time_zone), isoWeekAt(now, time_zone)];
  if (week_then === week_now) return recap;
  const season = seasonKey(week_then) === seasonKey(week_now) ? recap.season : null;
  return { ...recap, last_week: null, season };
}
