import pg from 'pg';
import { NON_PERSONAL_TABLES, PERSONAL_TABLES } from '#api/database/personal-data.ts';
import type { SavedTable } from './header.ts';

/**
 * Sendlap's tables, which a restore replaces. Those of the migrator outlive it: they name the same migrations before and
 * after. The schema may hold other programs' tables too.
 */
const OWN_TABLES = [
  ...PERSONAL_TABLES.map(({ table }) => table),
  ...Object.keys(NON_PERSONAL_TABLES).filter((name) => !name.startsWith('kysely_')),
];

/**
 * Tables whose rows are worth nothing after a restore: live events (every stream reads everything again), what nodes tell
 * each other about boards, and counts of requests. Counts of attempts, as of wrong passwords, are saved.
 */
const UNSAVED_TABLES = ['user_events', 'board_changes', 'request_counts'];

/** Settings of a backup's connection: no timeouts, and COPY's text format in which the same rows have the same bytes everywhere. */
const SETTINGS = `set client_encoding = 'UTF8'; set datestyle = 'ISO'; set intervalstyle = 'iso_8601'; set timezone = 'UTC';
  set bytea_output = 'hex'; set extra_float_digits = 1; set synchronize_seqscans = off; set row_security = off;
  set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0`;

const CONNECT_TIMEOUT_MS = 5_000;

/** Runs `work` with a connection of its own, which is closed afterwards: pipelined connections cannot run COPY. */
export async function withCopyClient<Value>(
  database_url: string,
  work: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  const client = new pg.Client({
    ...{ connectionString: database_url, application_name: 'sendlap_backup' },
    // A machine that is gone ends no statement by itself: some take an hour.
    ...{ keepAlive: true, connectionTimeoutMillis: CONNECT_TIMEOUT_MS },
  });
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

/** Returns Sendlap's tables in the current schema, by name. */
async function listOwnTables(client: pg.Client): Promise<SavedTable[]> {
  const { rows } = await client.query<SavedTable>(
    `select c.relname as name, json_agg(a.attname order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = current_schema()::text::regnamespace and c.relname = any($1)
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname order by c.relname`,
    [OWN_TABLES],
  );
  return rows;
}

/** Returns Sendlap's tables in the current schema, each as a statement names it. */
export async function quoteOwnTables(client: pg.Client): Promise<string[]> {
  return (await listOwnTables(client)).map(({ name }) => quoteTable({ name }));
}

export async function listSavedTables(client: pg.Client): Promise<SavedTable[]> {
  return (await listOwnTables(client)).filter(({ name }) => !UNSAVED_TABLES.includes(name));
}

/** Returns `"table"`, or `"table" ("column", …)`. */
export function quoteTable({ name, columns }: { name: string; columns?: string[] }): string {
  const table = pg.escapeIdentifier(name);
  return columns ? `${table} (${columns.map(pg.escapeIdentifier).join(', ')})` : table;
}
