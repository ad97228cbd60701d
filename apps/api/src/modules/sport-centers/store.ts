import type { IndexedCenter } from '@sendlap/center-index/center-index.ts';
import { PRESENCE_MIN_AGE } from '@sendlap/domain/locations.ts';
import type { WordChoices } from '@sendlap/domain/sport-centers.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';

/** Changes with every change of the centers and their facilities; unique per database. */
export async function readDataVersion(database: Database | Trx): Promise<string> {
  const { database_id, version } = await database
    .selectFrom('sport_center_version')
    .select(['database_id', 'version'])
    .executeTakeFirstOrThrow();
  return `${database_id.slice(0, 8)}-${version}`;
}

export async function countCenters(trx: Trx): Promise<number> {
  const { count } = await trx
    .selectFrom('sport_centers')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** A center as the index takes it, and its JSON record as sent to clients. */
export interface CenterRow extends IndexedCenter {
  search_name: string;
  record: string;
}

const utc = (column: string): RawBuilder<string> =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const SORT_POSITION = sql`(center.search_name collate "C", center.id)`;

/** Returns centers, closed ones too, ordered as in lists by name, starting after `last`. */
export async function readCenters(trx: Trx, last: CenterRow | undefined, limit: number): Promise<CenterRow[]> {
  const isAfter = last ? sql`${SORT_POSITION} > (${last.search_name} collate "C", ${last.id}::uuid)` : sql`true`;
  const { rows } = await sql<CenterRow>`
    select center.id, center.latitude, center.longitude, center.is_private, center.country, center.search_name,
      center.closed_at is not null as is_closed,
      array(select type from sport_facilities where sport_center_id = center.id) as sports,
      (select row_to_json(record)::text from (
        select center.id, center.name, center.address, center.city, center.country, center.latitude, center.longitude,
          center.phone, center.url, center.is_private, center.time_zone, center.attribution, center.licence,
          center.other_names, center.place_names, ${utc('center.closed_at')} as closed_at,
          array(
            select row_to_json(facility) from (
              select id, sport_center_id, type, ${utc('created_at')} as created_at, ${utc('updated_at')} as updated_at
              from sport_facilities where sport_center_id = center.id order by type
            ) as facility
          ) as sport_facilities,
          ${utc('center.created_at')} as created_at, ${utc('center.updated_at')} as updated_at
      ) as record) as record
    from sport_centers as center where ${isAfter}
    order by center.search_name collate "C", center.id
    limit ${limit}
  `.execute(trx);
  return rows;
}

/** Returns the facts that only a read by id shows, of the centers that have some, by id. */
export async function readExtraFields(trx: Trx): Promise<Map<string, object>> {
  const { rows } = await sql<{ id: string; fields: object }>`
    select id, jsonb_strip_nulls(jsonb_build_object(
      'pool_lengths_m', case when pool_lengths_m <> '{}' then pool_lengths_m end)) ||
      case when weekly is null then '{}'::jsonb
        else jsonb_build_object('opening_hours', jsonb_build_object('weekly', weekly, 'closed_days', closed_days)) end as fields
    from (select sport_center_id as id, * from center_edits full join center_hours using (sport_center_id)) as known
    where pool_lengths_m <> '{}' or weekly is not null`.execute(trx);
  return new Map(rows.map(({ id, fields }) => [id, fields]));
}

/** Reads the words of all open centers' texts, distinct, in one text per first letter. */
export async function readWords(database: Database): Promise<string[]> {
  return await database.transaction().execute(async (trx) => {
    // It reads all centers, once per version of the data.
    await sql`set local statement_timeout = '1min'`.execute(trx);
    const { rows } = await sql<{ words: string }>`
      select string_agg(word, ' ') as words from (
        select distinct unnest(string_to_array(search_text, ' ')) as word from sport_centers where closed_at is null
      ) as distinct_words
      group by left(word, 1)
    `.execute(trx);
    return rows.map(({ words }) => words);
  });
}

/**
 * Returns the ids of the open centers whose text has a word of each list and whose city has the part, grouped by first
 * byte.
 */
export async function findMatchingIds(database: Database, choices: WordChoices, city_part: string): Promise<string[]> {
  const isContained = (column: string, part: string) =>
    sql<boolean>`${sql.ref(column)} like ${`%${part.replaceAll(/[\\%_]/g, '\\$&')}%`}`;
  const conditions = choices.map(
    (words) =>
      sql<boolean>`(${sql.join(
        words.map((word) => isContained('search_text', word)),
        sql` or `,
      )})`,
  );
  if (city_part !== '') conditions.push(isContained('search_city', city_part));
  const { rows } = await sql<{ ids: string }>`
    select string_agg(id::text, '') as ids from sport_centers
    where ${sql.join(conditions, sql` and `)} and closed_at is null
    group by get_byte(uuid_send(id), 0)
  `.execute(database);
  return rows.map(({ ids }) => ids);
}

export interface FilterValueCount {
  value: string;
  /** Spellings that fold alike share one key. */
  key: string;
  count: number;
}

/** The filter values of open centers, each with its number of centers. */
export async function countFilterValues(
  database: Database,
): Promise<Record<'sports' | 'countries' | 'cities', FilterValueCount[]>> {
  const [sports, countries, cities] = await Promise.all([
    sql<FilterValueCount>`
      select type as value, type as key, count(*) as count from sport_facilities as facility
      join sport_centers as center on center.id = facility.sport_center_id
      where center.closed_at is null group by type
    `.execute(database),
    sql<FilterValueCount>`
      select country as value, country as key, count(*) as count from sport_centers
      where closed_at is null and country is not null group by country
    `.execute(database),
    sql<FilterValueCount>`
      select city as value, search_city as key, count(*) as count from sport_centers
      where closed_at is null and search_city <> '' group by city, search_city
    `.execute(database),
  ]);
  return { sports: sports.rows, countries: countries.rows, cities: cities.rows };
}

/** The time range, `until` excluded, and the minimum counts for a center to be listed. */
interface CountingOptions {
  since: Date;
  until: Date;
  min_activities: number;
  min_athletes: number;
}

/** Number of finished activities per center, without locked accounts and users hidden for their age. */
export async function countActivities(
  database: Database,
  { since, until, min_activities, min_athletes }: CountingOptions,
): Promise<{ id: string; count: number }[]> {
  return await database
    .selectFrom('activities')
    .innerJoin('users', 'users.id', 'activities.user_id')
    .leftJoin('bio_info', 'bio_info.user_id', 'activities.user_id')
    .select((select) => ['sport_center_id as id', select.fn.countAll<number>().as('count')])
    .where('status', 'in', ['finished', 'validated'])
    .where('started_at', '>=', since)
    .where('started_at', '<', until)
    .where('users.is_active', '=', true)
    .where((where) => where.or([where('age', 'is', null), where('age', '>=', PRESENCE_MIN_AGE)]))
    .groupBy('sport_center_id')
    .having((having) => having.fn.countAll(), '>=', min_activities)
    .having((having) => having.fn.count('activities.user_id').distinct(), '>=', min_athletes)
    .execute();
}
