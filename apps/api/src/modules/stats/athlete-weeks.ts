import { type AthleteWeek, sumWeek } from '@sendlap/domain/progress/athlete-weeks.ts';
import { type Sport, WEEK_TOTALS, type WeekTotal } from '@sendlap/domain/sports.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#api/database/database.ts';

/** An activity as counted in a week. */
export interface CountedActivity {
  id: string;
  sport_type: Sport;
  sport_center_id: string;
  started_at: Date;
  ended_at: Date | null;
  paused_s: number | null;
  local_date: string;
  distance_m: number | null;
  points: number;
  validation: 'none' | 'peer' | 'venue' | 'referee';
}

/** The columns of a week beside its key: the same in `athlete_weeks` and in `AthleteWeek`. */
const WEEK_FIELDS = ['points', 'days', ...WEEK_TOTALS, 'sport_center_ids', 'proofs'] as const;
const FIELDS = sql.raw(WEEK_FIELDS.join(', '));
const EXCLUDED_FIELDS = sql.raw(WEEK_FIELDS.map((field) => `excluded.${field}`).join(', '));
/** The sports' columns of `WeekColumns`. */
const TOTALS_JSON = sql.raw(WEEK_TOTALS.map((total) => `'${total}', array_agg(${total})`).join(', '));

/** All weeks of an athlete, column by column: PostgreSQL writes that far faster than a row per week. */
export interface WeekColumns extends Record<WeekTotal, number[]> {
  week_key: string[] | null;
  points: number[];
  days: number[];
  /** Ids separated by spaces. */
  sport_center_ids: string[];
  proofs: string[];
}

type DatedActivity = CountedActivity & { week_key: string };

export interface CountedWeek {
  week_key: string;
  /** Activities that are not validated do not count. */
  activities: CountedActivity[];
}

/** SQL of all weeks of an athlete; takes their id, or the column that holds it. */
export function selectWeeks(user_id: string | RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select json_build_object(
      'week_key', array_agg(week_key), 'points', array_agg(points), 'days', array_agg(days),
      ${TOTALS_JSON},
      'sport_center_ids', array_agg(array_to_string(sport_center_ids, ' ')), 'proofs', array_agg(proofs))
    from athlete_weeks where user_id = ${user_id})`;
}

export function parseWeeks(columns: WeekColumns): AthleteWeek[] {
  const { points, days, sport_center_ids, proofs } = columns;
  return (columns.week_key ?? []).map((week_key, nth) => ({
    week_key,
    points: points[nth] ?? 0,
    days: days[nth] ?? 0,
    ...totalsAt(columns, nth),
    sport_center_ids: sport_center_ids[nth]?.split(' ') ?? [],
    proofs: proofs[nth] ?? '',
  }));
}

function totalsAt(columns: WeekColumns, nth: number): Record<WeekTotal, number> {
  const totals = WEEK_TOTALS.map((total): [WeekTotal, number] => [total, columns[total][nth] ?? 0]);
  return Object.fromEntries(totals) as Record<WeekTotal, number>;
}

/** From all validated activities of a week. */
export function toAthleteWeek({ week_key, activities }: CountedWeek): AthleteWeek {
  const validated = activities.flatMap(({ validation, ...activity }) =>
    validation === 'none'
      ? []
      : [
          {
            ...activity,
            validation,
            started_at: activity.started_at.getTime(),
            ended_at: (activity.ended_at ?? activity.started_at).getTime(),
            paused_s: activity.paused_s ?? 0,
          },
        ],
  );
  return sumWeek(week_key, validated);
}

/**
 * Brings these weeks of an athlete in line, as CTEs of one statement: `athlete_weeks_gone` (only if a week has become
 * empty) and `athlete_weeks_written`.
 */
export function weekCtes(user_id: string, weeks: AthleteWeek[]): RawBuilder<unknown>[] {
  const emptied = weeks.filter(({ proofs }) => proofs === '').map(({ week_key }) => week_key);
  const rows = weeks.filter(({ proofs }) => proofs !== '').map((week) => ({ user_id, ...week }));
  return [
    ...(emptied.length > 0
      ? [
          sql`
    athlete_weeks_gone as (
      delete from athlete_weeks where user_id = ${user_id} and week_key = any(${emptied}::text[]) returning 1)`,
        ]
      : []),
    ...(rows.length > 0
      ? [
          sql`
    athlete_weeks_written as (
      insert into athlete_weeks (user_id, week_key, ${FIELDS})
      select user_id, week_key, ${FIELDS}
      from jsonb_populate_recordset(null::athlete_weeks, ${JSON.stringify(rows)}::jsonb)
      on conflict (user_id, week_key) do update set (${FIELDS}) = (${EXCLUDED_FIELDS})
      where athlete_weeks is distinct from excluded
      returning 1)`,
        ]
      : []),
  ];
}

/**
 * Rebuilds all weeks of an athlete from all of their activities, under their lock; returns the number of wrong rows.
 */
export async function rebuildWeeks(trx: Trx, user_id: string, activities: DatedActivity[]): Promise<number> {
  const stored = await readRows(trx, user_id);
  const computed = computeWeeks(activities);
  const keys = [...new Set([...stored.map(({ week_key }) => week_key), ...computed.keys()])];
  const wrong = keys
    .map((week_key) => computed.get(week_key) ?? sumWeek(week_key, []))
    .filter(
      (week) =>
        !isSame(
          week,
          stored.find(({ week_key }) => week_key === week.week_key),
        ),
    );
  const parts = weekCtes(user_id, wrong);
  if (parts.length > 0) await sql`with ${sql.join(parts)} select 1`.execute(trx);
  return wrong.length;
}

/**
 * Compares an athlete's stored weeks with all of their activities; returns the points of each week that differs in any
 * column.
 */
export async function compareWeeks(
  trx: Trx,
  user_id: string,
  activities: DatedActivity[],
): Promise<{ is: number; should_be: number }[]> {
  const stored = await readRows(trx, user_id);
  const computed = computeWeeks(activities);
  const differences: { is: number; should_be: number }[] = [];
  for (const week of stored) {
    const should_be = computed.get(week.week_key);
    computed.delete(week.week_key);
    if (!should_be || !isSame(should_be, week))
      differences.push({ is: week.points, should_be: should_be?.points ?? 0 });
  }
  return [...differences, ...[...computed.values()].map(({ points }) => ({ is: 0, should_be: points }))];
}

/** Returns all weeks of an athlete, from all of their activities. */
export function allWeeksOf(activities: DatedActivity[]): AthleteWeek[] {
  return [...computeWeeks(activities).values()];
}

/** Only weeks with activities. */
function computeWeeks(activities: DatedActivity[]): Map<string, AthleteWeek> {
  const groups = Map.groupBy(activities, ({ week_key }) => week_key);
  const weeks = [...groups].map(([week_key, all]) => toAthleteWeek({ week_key, activities: all }));
  return new Map(weeks.filter(({ proofs }) => proofs !== '').map((week) => [week.week_key, week]));
}

function isSame(one: AthleteWeek, other: AthleteWeek | undefined): boolean {
  return JSON.stringify(valuesOf(one)) === JSON.stringify(other && valuesOf(other));
}

function valuesOf(week: AthleteWeek) {
  return [week.week_key, ...WEEK_FIELDS.map((field) => week[field])];
}

async function readRows(trx: Trx, user_id: string): Promise<AthleteWeek[]> {
  return trx.selectFrom('athlete_weeks').selectAll().where('user_id', '=', user_id).execute();
}
