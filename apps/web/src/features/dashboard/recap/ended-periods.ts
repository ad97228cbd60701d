import type { Recap } from '@sendlap/contract/stats.ts';
import { isoWeekAt, seasonKey } from '@sendlap/domain/dates.ts';
import { isCurrentWeek } from '../use-dashboard.ts';

/**
 * Leaves out the last week if a new week has begun since the server answered, and the season if a new one has: an old
 * answer does not know what came after it. `now`: ms epoch by the server's clock; weeks are in the server's time zone.
 */
export function withoutEndedPeriods(recap: Recap, now: number): Recap {
  const { week } = recap;
  if (isCurrentWeek(week, now)) return recap;
  const season = seasonKey(week.key) === seasonKey(isoWeekAt(now, week.time_zone)) ? recap.season : null;
  return { ...recap, last_week: null, season };
}
