import type { listActivities as listEndpoint } from '@sendlap/contract/activities.ts';
import type { ParsedRequest } from '@sendlap/contract/wire/endpoint.ts';
import type { Intensity } from '@sendlap/domain/sports/sport-record.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { type CompiledQuery, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import { PREPARED, PREPARED_DEFERRED } from '#api/database/statement-pipeline.ts';
import type { Tables } from '#api/database/tables.ts';
import {
  type BadgeInputs,
  type BadgeInputsJson,
  parseBadgeInputs,
  selectBadgeInputs,
} from '#api/modules/badges/award.ts';
import { isAfterCursor, pageOf } from './paging.ts';

export type ActivityRow = Selectable<Tables['activities']> & { sport_center_name: string };
export type DecisionRow = Selectable<Tables['decisions']> & { facts: Facts };

/** The facts that are scored, with the center's date and week of the start. Times are ISO texts: stored as JSON. */
export interface Facts {
  sport_center_id: string;
  sport_center_name: string;
  sport_type: Sport;
  started_at: string;
  /** null while the activity runs. */
  ended_at: string | null;
  /** Seconds at rest; null: none. Facts that were stored before there were pauses lack it. */
  paused_s?: number | null;
  intensity: Intensity | null;
  /** A referee vouched for the intensity. */
  intensity_confirmed: boolean;
  distance_m: number | null;
  local_date: string;
  week_key: string;
  /** The codes at the start and at the finish, as `kiosk step kiosk step`; only in a kiosk's decision. */
  venue_codes?: string;
}

/** One activity of one athlete; activity ids are unique per user only. */
export interface ActivityKey {
  athlete_id: string;
  activity_id: string;
}

export function activitiesWithCenter(database: Database | Trx) {
  return database
    .selectFrom('activities')
    .innerJoin('sport_centers', 'sport_centers.id', 'activities.sport_center_id')
    .selectAll('activities')
    .select('sport_centers.name as sport_center_name');
}

export async function findActivity(
  database: Database | Trx,
  user_id: string,
  id: string,
): Promise<ActivityRow | undefined> {
  return activitiesWithCenter(database)
    .where('user_id', '=', user_id)
    .where('activities.id', '=', id)
    .executeTakeFirst();
}

/** Lists activities without the deleted ones, newest first. Throws `cursor_invalid`. */
export async function listActivities(
  database: Database,
  user_id: string,
  { sport, status, from, to, cursor, limit }: ParsedRequest<typeof listEndpoint>['query'],
): Promise<{ shown: ActivityRow[]; next_cursor: string | null }> {
  let query = activitiesWithCenter(database).where('user_id', '=', user_id).where('status', '!=', 'deleted');
  if (sport) query = query.where('sport_type', '=', sport);
  if (status) query = query.where('status', '=', status);
  if (from) query = query.where('started_at', '>=', new Date(from));
  if (to) query = query.where('started_at', '<', new Date(to));
  const rows = await query
    .where(isAfterCursor(cursor, 'started_at', 'activities.id'))
    .orderBy('started_at', 'desc')
    .orderBy('activities.id', 'desc')
    .limit(limit + 1)
    .execute();
  return pageOf(rows, limit, ({ started_at: at, id }) => ({ at, id }));
}

/** Locks these users for writing, always in the same order, so that no deadlock can occur. */
export async function lockUsers(trx: Trx, user_ids: string[]): Promise<void> {
  await sql`${PREPARED_DEFERRED}select id from users where id = any(${[...new Set(user_ids)]}::uuid[]) order by id for no key update`.execute(
    trx,
  );
}

/** Snapshot of all data an activity op can touch, read under the lock. */
export interface OpInputs {
  row: ActivityRow | undefined;
  decisions: DecisionRow[];
  /** The athlete's other activities of the same weeks, any that overlap, and a running one; none deleted. */
  others: ActivityRow[];
  /** Of a scan: unanswered rejections of the athlete's other activities near the moment of the op. Else empty. */
  rejections: Rejection[];
  /** Of a scan: scored activities of the day that the scanner confirmed, of any athlete, without this one. Else 0. */
  confirmed_that_day: number;
  /** Inputs of the badge rules; undefined for an op that cannot change points. */
  badges: BadgeInputs | undefined;
}

/** A rejection in force. The activity may be deleted. */
export interface Rejection {
  scanner_id: string | null;
  facts: Facts;
}

/** What else an op needs, besides the activity. */
export interface OpScope {
  /** The new start, if the op moves it. */
  started_at?: Date | undefined;
  /** The confirming user, and the center's local date of the activity. */
  scanner?: { id: string; local_date: string } | undefined;
}

/** A row as JSON: the form in which one statement returns several tables. */
export type JsonRow<Row> = { [Name in keyof Row]: Exclude<Row[Name], Date> | string };

/** A week spans at most this far from any moment in it, in any zone, and no activity is longer than a day. */
const WEEK_MARGIN = sql.raw("interval '9 days'");

/** The values of `selectOpInputs`. */
export interface OpInputsValues extends ActivityKey {
  /** The new start, if the op moves it. */
  started_at: Date | null;
  /** Of a scan, as is the date: the center's local date of the activity. */
  scanner_id: string | null;
  local_date: string | null;
  reads_badges: boolean;
}

export function opInputsValues(
  key: ActivityKey,
  { started_at, scanner }: OpScope,
  reads_badges = true,
): OpInputsValues {
  const { athlete_id, activity_id } = key;
  return {
    ...{ athlete_id, activity_id, reads_badges },
    started_at: started_at ?? null,
    scanner_id: scanner?.id ?? null,
    local_date: scanner?.local_date ?? null,
  };
}

/** SQL of the `OpInputs`: the columns of `OpInputsJson`. Some are read for a scan alone. */
export function selectOpInputs(values: OpInputsValues, { is_scan }: { is_scan: boolean }) {
  const { athlete_id, activity_id, started_at, scanner_id, reads_badges } = values;
  return sql`
    (select to_jsonb(a) || jsonb_build_object('sport_center_name', c.name)
      from activities a join sport_centers c on c.id = a.sport_center_id
      where a.user_id = ${athlete_id} and a.id = ${activity_id}) as row,
    (select jsonb_agg(d) from decisions d
      where d.athlete_id = ${athlete_id} and d.activity_id = ${activity_id}) as decisions,
    (select jsonb_agg(to_jsonb(a) || jsonb_build_object('sport_center_name', c.name))
      from (
        select least(m.at, o.started_at, (o.declared ->> 'started_at')::timestamptz) - ${WEEK_MARGIN} as since,
          greatest(m.at, o.started_at, (o.declared ->> 'started_at')::timestamptz) + ${WEEK_MARGIN} as until
        from (select ${started_at}::timestamptz as at) m
        left join activities o on o.user_id = ${athlete_id} and o.id = ${activity_id}
      ) weeks
      join activities a on a.user_id = ${athlete_id} and a.id <> ${activity_id} and a.status <> 'deleted'
        and (a.status = 'active' or a.started_at between weeks.since and weeks.until)
      join sport_centers c on c.id = a.sport_center_id) as others,
    ${is_scan ? selectLimitsOfScan(values) : sql`null::jsonb as rejections, 0 as confirmed_that_day`},
    ${selectBadgeInputs(athlete_id, scanner_id, reads_badges)}`;
}

function selectLimitsOfScan({ athlete_id, activity_id, started_at, scanner_id, local_date }: OpInputsValues) {
  return sql`
    (select jsonb_agg(jsonb_build_object('scanner_id', d.scanner_id, 'facts', d.facts))
      from activities a join decisions d on d.id = a.rejection_id
      where a.user_id = ${athlete_id} and a.id <> ${activity_id} and a.rejection_id is not null
        and (d.facts ->> 'started_at')::timestamptz
          between ${started_at}::timestamptz - ${WEEK_MARGIN} and ${started_at}::timestamptz + ${WEEK_MARGIN}) as rejections,
    (select count(*) from activities
      where decided_by = ${scanner_id} and local_date = ${local_date}
        and status = 'validated' and points > 0
        and not (user_id = ${athlete_id} and id = ${activity_id}))::int as confirmed_that_day`;
}

export interface OpInputsJson extends BadgeInputsJson {
  row: JsonRow<ActivityRow> | null;
  decisions: JsonRow<DecisionRow>[] | null;
  others: JsonRow<ActivityRow>[] | null;
  rejections: Rejection[] | null;
  confirmed_that_day: number;
}

export function parseOpInputs({
  row,
  decisions,
  others,
  rejections,
  confirmed_that_day,
  ...badges
}: OpInputsJson): OpInputs {
  return {
    row: row ? parseActivity(row) : undefined,
    decisions: (decisions ?? []).map(
      (each) =>
        ({
          ...each,
          scanned_at: new Date(each.scanned_at),
          received_at: new Date(each.received_at),
          decided_at: new Date(each.decided_at),
          withdrawn_at: parseTime(each.withdrawn_at),
        }) as DecisionRow,
    ),
    others: (others ?? []).map(parseActivity),
    rejections: rejections ?? [],
    confirmed_that_day,
    badges: parseBadgeInputs(badges),
  };
}

/** For an operator's action, which is no scan. */
export async function loadOpInputs(trx: Trx, key: ActivityKey): Promise<OpInputs> {
  const select = sql<OpInputsJson>`${PREPARED}select ${selectOpInputs(opInputsValues(key, {}), { is_scan: false })}`;
  return parseOpInputs(await executeOne(trx, select));
}

/** Returns the row of a statement that always returns one. */
export async function executeOne<Row>(trx: Trx, query: RawBuilder<Row> | CompiledQuery<Row>): Promise<Row> {
  const [row] = ('execute' in query ? await query.execute(trx) : await trx.executeQuery(query)).rows;
  if (!row) throw new Error('the statement gave no row');
  return row;
}

function parseActivity(row: JsonRow<ActivityRow>): ActivityRow {
  return {
    ...row,
    started_at: new Date(row.started_at),
    ended_at: parseTime(row.ended_at),
    validated_at: parseTime(row.validated_at),
    edited_at: parseTime(row.edited_at),
    appealed_at: parseTime(row.appealed_at),
    venue_started_at: parseTime(row.venue_started_at),
    venue_ended_at: parseTime(row.venue_ended_at),
    created_at: new Date(row.created_at),
    updated_at: new Date(row.updated_at),
  } as ActivityRow;
}

/** Parses a timestamp from JSON. */
export function parseTime(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
