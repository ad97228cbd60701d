import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#api/platform/database.ts';
import { findPerson, isAbout, shownTo } from '#api/platform/person.ts';
import { PERSONAL_TABLES } from '#api/platform/personal-data.ts';
import { csvLine } from './csv.ts';
import { type Spooled, spool } from './spool.ts';

const FORMAT_VERSION = 1;
const PAGE_ROWS = 500;

export interface ExportService {
  /**
   * Everything about a user as JSON: {exported_at, format_version, tables: {<table>: [rows]}}, of one moment, without
   * secrets, and without other people.
   */
  exportMe(user_id: string): Promise<Spooled>;
  /** The user's activities as CSV (RFC 4180), the oldest first. */
  exportActivities(user_id: string): Promise<Spooled>;
}

export function createExportService(database: Database, now: () => Date): ExportService {
  return {
    exportMe: (user_id) => inSnapshot(database, (trx) => spool(writeArchive(trx, user_id, now()))),
    exportActivities: (user_id) => inSnapshot(database, (trx) => spool(writeActivities(trx, user_id))),
  };
}

function inSnapshot<Result>(database: Database, read: (trx: Trx) => Promise<Result>): Promise<Result> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`set local timezone to 'UTC'`.execute(trx);
      return read(trx);
    });
}

async function* writeArchive(trx: Trx, user_id: string, exported_at: Date): AsyncGenerator<string> {
  const person = await findPerson(trx, user_id);
  yield `{"exported_at":"${exported_at.toISOString()}","format_version":${FORMAT_VERSION},"tables":{`;
  let before_table = '';
  for (const table of PERSONAL_TABLES) {
    yield `${before_table}\n"${table.table}":[`;
    before_table = ',';
    let before_row = '';
    const rows = sql<{ line: string }>`
      select ${shownTo(table, person)} as line from ${sql.table(table.table)} as t where ${isAbout(table, person)}`;
    for await (const { line } of readRows(trx, rows)) {
      yield `${before_row}\n${line}`;
      before_row = ',';
    }
    yield ']';
  }
  yield '\n}}\n';
}

const ACTIVITY_COLUMNS = [
  'id',
  'sport_type',
  'sport_center_id',
  'sport_center_name',
  'started_at',
  'ended_at',
  'local_date',
  'status',
  'validation',
  'intensity',
  'distance_m',
  'points',
  'counted_minutes',
  'rule_version',
  'validated_at',
] as const;

async function* writeActivities(trx: Trx, user_id: string): AsyncGenerator<string> {
  yield csvLine(ACTIVITY_COLUMNS);
  const rows = sql<Record<(typeof ACTIVITY_COLUMNS)[number], unknown>>`
    select activities.*, sport_centers.name as sport_center_name
    from activities join sport_centers on sport_centers.id = activities.sport_center_id
    where user_id = ${user_id} order by started_at, activities.id`;
  for await (const row of readRows(trx, rows)) yield csvLine(ACTIVITY_COLUMNS.map((column) => row[column]));
}

/** The rows of a query, page by page. One at a time in a transaction. */
async function* readRows<Row>(trx: Trx, query: RawBuilder<Row>): AsyncGenerator<Row> {
  await sql`declare export_rows no scroll cursor for ${query}`.execute(trx);
  for (let more = true; more; ) {
    const { rows } = await sql<Row>`fetch ${sql.lit(PAGE_ROWS)} from export_rows`.execute(trx);
    yield* rows;
    more = rows.length === PAGE_ROWS;
  }
  await sql`close export_rows`.execute(trx);
}
