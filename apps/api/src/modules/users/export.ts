import { type RawBuilder, sql } from 'kysely';
import { exportedRow, findPersonIds, rowRefersTo } from '#api/accounts/person-ids.ts';
import type { Database, Trx } from '#api/database/database.ts';
import { PERSONAL_TABLES } from '#api/database/personal-data.ts';
import { spool } from './spool.ts';

const FORMAT_VERSION = 1;
const PAGE_ROWS = 500;
/** Spreadsheets run a cell that begins with one of these as a formula. */
const FORMULA_START = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

export type ExportService = ReturnType<typeof createExportService>;

export function createExportService(database: Database, now: () => Date) {
  return {
    /**
     * Everything about a user as JSON: {exported_at, format_version, tables: {<table>: [rows]}}, from one snapshot,
     * without secrets, and without other people.
     */
    exportMe: (user_id: string) => inSnapshot(database, (trx) => spool(writeArchive(trx, user_id, now()))),
    /** The user's activities as CSV (RFC 4180), oldest first. */
    exportActivities: (user_id: string) => inSnapshot(database, (trx) => spool(writeActivities(trx, user_id))),
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
  const person = await findPersonIds(trx, user_id);
  yield `{"exported_at":"${exported_at.toISOString()}","format_version":${FORMAT_VERSION},"tables":{`;
  let before_table = '';
  for (const table of PERSONAL_TABLES) {
    yield `${before_table}\n"${table.table}":[`;
    before_table = ',';
    let before_row = '';
    const query = sql<{ line: string }>`
      select ${exportedRow(table, person)} as line from ${sql.table(table.table)} as t where ${rowRefersTo(table, person)}`;
    for await (const rows of readPages(trx, query)) {
      yield before_row + rows.map(({ line }) => `\n${line}`).join(',');
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
  'paused_s',
] as const;

async function* writeActivities(trx: Trx, user_id: string): AsyncGenerator<string> {
  yield csvLine(ACTIVITY_COLUMNS);
  const query = sql<Record<(typeof ACTIVITY_COLUMNS)[number], unknown>>`
    select activities.*, sport_centers.name as sport_center_name
    from activities join sport_centers on sport_centers.id = activities.sport_center_id
    where user_id = ${user_id} order by started_at, activities.id`;
  for await (const rows of readPages(trx, query)) {
    yield rows.map((row) => csvLine(ACTIVITY_COLUMNS.map((column) => row[column]))).join('');
  }
}

/** Yields the rows of a query in non-empty pages. Only one at a time per transaction. */
async function* readPages<Row>(trx: Trx, query: RawBuilder<Row>): AsyncGenerator<Row[]> {
  await sql`declare export_rows no scroll cursor for ${query}`.execute(trx);
  for (let more = true; more; ) {
    const { rows } = await sql<Row>`fetch ${sql.lit(PAGE_ROWS)} from export_rows`.execute(trx);
    if (rows.length > 0) yield rows;
    more = rows.length === PAGE_ROWS;
  }
  await sql`close export_rows`.execute(trx);
}

/** One line of CSV (RFC 4180), ended by CRLF; null is empty, dates are ISO 8601 in UTC. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number') return String(value);
  const text = String(value);
  const safe = FORMULA_START.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
