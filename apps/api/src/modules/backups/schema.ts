import pg from 'pg';
import type { SavedTable } from './header.ts';

/**
 * Tables whose rows are worth nothing on another server: live events (after a restore every stream reads everything again), what
 * nodes tell each other about boards, counters of rate limits, and the migrations, which the file names itself.
 */
const UNSAVED_TABLES = ['user_events', 'board_changes', 'request_counts', 'kysely_migration', 'kysely_migration_lock'];

/** Settings of COPY's text format; the same rows have the same bytes on every server. */
const SETTINGS = `set client_encoding = 'UTF8'; set datestyle = 'ISO'; set intervalstyle = 'iso_8601'; set timezone = 'UTC';
  set bytea_output = 'hex'; set extra_float_digits = 1; set synchronize_seqscans = off; set row_security = off;
  set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0`;

/** Runs `work` with a connection of its own, which is closed afterwards: pipelined connections cannot run COPY. */
export async function withCopyClient<Value>(
  database_url: string,
  work: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  const client = new pg.Client({ connectionString: database_url, application_name: 'sendlap_backup' });
  // A lost connection fails the statement under way; without a listener it would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(SETTINGS);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns the tables of the current schema, by name, without those of extensions. */
export async function listTables(client: pg.Client): Promise<SavedTable[]> {
  const { rows } = await client.query<SavedTable>(`
    select c.relname as name, json_agg(a.attname order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = current_schema()::text::regnamespace
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
    group by c.relname order by c.relname`);
  return rows;
}

export async function listSavedTables(client: pg.Client): Promise<SavedTable[]> {
  return (await listTables(client)).filter(({ name }) => !UNSAVED_TABLES.includes(name));
}

/** Returns `"table"`, or `"table" ("column", …)`. */
export function quoteTable({ name, columns }: { name: string; columns?: string[] }): string {
  const table = pg.escapeIdentifier(name);
  return columns ? `${table} (${columns.map(pg.escapeIdentifier).join(', ')})` : table;
}
