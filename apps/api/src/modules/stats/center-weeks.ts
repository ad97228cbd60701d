import { type CenterWeek, SHOWN_WEEKS } from '@sendlap/contract/center-management/center-weeks.ts';
import { hideSmallCounts, type RecordedWeek } from '@sendlap/domain/centers/center-weeks.ts';
import { addDays, isoWeekAt, isoWeekKey, isoWeekRange } from '@sendlap/domain/dates.ts';
import { DAYS_A_WEEK } from '@sendlap/domain/durations.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { sql } from 'kysely';
import { activeSecondsOf } from '#api/database/active-time.ts';
import type { Database } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';

type RecordedSport = RecordedWeek['sports'][number];
interface SportRow extends RecordedSport {
  week_key: string;
}
interface WeekRow extends Omit<RecordedWeek, 'sports' | 'is_running' | 'confirmed'> {
  activities_with: number;
  people_with: number;
  people_without: number;
}

export type CenterWeeksService = ReturnType<typeof createCenterWeeksService>;

/** The weekly numbers of a center, without any about fewer than five people. */
export function createCenterWeeksService(database: Database, now: () => Date) {
  return {
    /** Returns the last weeks, the newest first. Throws `sport_center_not_found`. */
    async getWeeks(id: string): Promise<{ weeks: CenterWeek[] }> {
      const center = await readCenter(database, id);
      if (!center) throw new AppError('sport_center_not_found', 'No sport center has this id');
      const running_key = isoWeekAt(now().getTime(), center.time_zone);
      const keys = lastWeeks(running_key);
      const recorded = await readWeeks(database, id, keys);
      const weeks = keys.map((week_key) => {
        const week = recorded.find((each) => each.week_key === week_key) ?? emptyWeek(week_key);
        const sports = withAllSports(week.sports, center.sports);
        const shown = hideSmallCounts({ ...week, sports, is_running: week_key === running_key });
        return { ...shown, starts_on: isoWeekRange(week_key).starts_on };
      });
      return { weeks };
    },
  };
}

function lastWeeks(running_key: string): string[] {
  const { starts_on } = isoWeekRange(running_key);
  return Array.from({ length: SHOWN_WEEKS }, (_, ago) => isoWeekKey(addDays(starts_on, -DAYS_A_WEEK * ago)));
}

async function readCenter(database: Database, id: string) {
  const { rows } = await sql<{ time_zone: string; sports: Sport[] }>`
    select c.time_zone, array(select f.type from sport_facilities f where f.sport_center_id = c.id order by f.type) as sports
    from sport_centers c where c.id = ${id}`.execute(database);
  return rows[0];
}

/** Without running activities and without locked accounts. */
async function readWeeks(
  database: Database,
  sport_center_id: string,
  keys: string[],
): Promise<Omit<RecordedWeek, 'is_running'>[]> {
  const recorded = sql`(
    select a.week_key, a.sport_type, a.user_id, a.distance_m, a.validation <> 'none' as has_proof,
      ${activeSecondsOf('a')} / 60 as minutes
    from activities a join users u on u.id = a.user_id and u.is_active
    where a.sport_center_id = ${sport_center_id} and a.status in ('finished', 'validated')
      and a.week_key = any(${keys}::text[])) as recorded`;
  const [weeks, sports] = await Promise.all([
    sql<WeekRow>`
      select week_key, count(distinct user_id)::int as people, count(*)::int as activities,
        sum(minutes)::float8 as minutes, count(*) filter (where has_proof)::int as activities_with,
        count(distinct user_id) filter (where has_proof)::int as people_with,
        count(distinct user_id) filter (where not has_proof)::int as people_without
      from ${recorded} group by week_key`.execute(database),
    sql<SportRow>`
      select week_key, sport_type as sport, count(distinct user_id)::int as people, count(*)::int as activities,
        sum(minutes)::float8 as minutes, coalesce(sum(distance_m), 0)::float8 as metres,
        count(distinct user_id) filter (where distance_m is not null)::int as people_with_metres
      from ${recorded} group by week_key, sport_type order by sport_type`.execute(database),
  ]);
  return weeks.rows.map(({ activities_with, people_with, people_without, ...week }) => ({
    ...week,
    sports: sports.rows.filter(({ week_key }) => week_key === week.week_key).map(({ week_key: _, ...sport }) => sport),
    confirmed: { activities: activities_with, people_with, people_without },
  }));
}

function emptyWeek(week_key: string): Omit<RecordedWeek, 'is_running'> {
  const confirmed = { activities: 0, people_with: 0, people_without: 0 };
  return { week_key, people: 0, activities: 0, minutes: 0, sports: [], confirmed };
}

/** With the sports that the center offers and that were not recorded. */
function withAllSports(recorded: RecordedSport[], offered: Sport[]): RecordedSport[] {
  const missing = offered.filter((sport) => recorded.every((each) => each.sport !== sport));
  const none = { people: 0, activities: 0, minutes: 0, metres: 0, people_with_metres: 0 };
  return [...recorded, ...missing.map((sport) => ({ sport, ...none }))].sort((a, b) => (a.sport < b.sport ? -1 : 1));
}
