import type { PeriodRecap, PersonalBest, Recap } from '@sendlap/contract/stats.ts';
import { addDays, type DateRange, isoWeekKey, isoWeekRange, seasonKey, seasonRange } from '@sendlap/domain/dates.ts';
import type { AthleteWeek } from '@sendlap/domain/progress/athlete-weeks.ts';
import { findBestWeek, sumWeeks } from '@sendlap/domain/progress/recaps.ts';
import { MIN_SCORED_MINUTES } from '@sendlap/domain/scoring.ts';
import { SPORT_LIST } from '@sendlap/domain/sports/sport-list.ts';
import { type RawBuilder, sql } from 'kysely';
import { activeSecondsOf } from '#api/database/active-time.ts';

/** The most metres that the minutes of an activity allow, as in the weekly totals: more is a slip of the finger. */
const MOST_METRES = sql.raw(
  `minutes * case sport_type ${SPORT_LIST.map(
    ({ name, distance }) => `when '${name}' then ${distance?.max_m_per_minute ?? 0}`,
  ).join(' ')} end`,
);

/** SQL of an athlete's personal bests as JSON, null without any; of activities that are long enough to count. */
export function selectBests(user_id: string): RawBuilder<unknown> {
  return sql`(
    with counted as (
      select id, sport_type, sport_center_id, local_date, started_at, points, distance_m,
        floor(${activeSecondsOf('a')} / 60)::integer as minutes
      from activities a
      where user_id = ${user_id} and status = 'validated'
        and ${activeSecondsOf('a')} >= ${sql.lit(MIN_SCORED_MINUTES * 60)}
    ), bests as (
      (select 1 as nth, 'points' as measure, points as value, id, sport_type, sport_center_id, local_date
        from counted where points > 0 order by points desc, started_at limit 1)
      union all
      (select distinct on (sport_type) 2, 'minutes', minutes, id, sport_type, sport_center_id, local_date
        from counted order by sport_type, minutes desc, started_at)
      union all
      (select distinct on (sport_type) 3, 'metres', distance_m, id, sport_type, sport_center_id, local_date
        from counted where distance_m between 1 and ${MOST_METRES} order by sport_type, distance_m desc, started_at)
    )
    select json_agg(json_build_object('measure', b.measure, 'value', b.value, 'sport_type', b.sport_type,
      'client_id', b.id, 'sport_center_name', c.name, 'local_date', b.local_date) order by b.nth, b.sport_type)
    from bests b join sport_centers c on c.id = b.sport_center_id)`;
}

interface RecapFacts {
  /** All weeks of the athlete, in any order. */
  weeks: AthleteWeek[];
  /** The current week, in `time_zone`. */
  week_key: string;
  time_zone: string;
  bests: PersonalBest[];
}

export function buildRecap({ weeks, week_key, time_zone, bests }: RecapFacts): Recap {
  const last_week = isoWeekKey(addDays(isoWeekRange(week_key).starts_on, -1));
  const season = seasonKey(week_key);
  const best_week = findBestWeek(weeks);
  return {
    lifetime_points: weeks.reduce((sum, { points }) => sum + points, 0),
    week: { key: week_key, time_zone },
    last_week: recapOf(
      { key: last_week, ...isoWeekRange(last_week) },
      weeks.filter((week) => week.week_key === last_week),
    ),
    season: recapOf(
      { key: season, ...seasonRange(season) },
      weeks.filter((week) => seasonKey(week.week_key) === season),
    ),
    best_week: best_week && {
      key: best_week.week_key,
      ...isoWeekRange(best_week.week_key),
      points: best_week.points,
    },
    bests,
  };
}

function recapOf(period: { key: string } & DateRange, weeks: AthleteWeek[]): PeriodRecap | null {
  const sums = sumWeeks(weeks);
  return sums && { ...period, ...sums };
}
