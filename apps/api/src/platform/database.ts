import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { pipelineStatements } from './statement-pipeline.ts';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;
/** A running transaction; every store function takes `Database | Trx`. */
export type Trx = Transaction<Tables>;

// The driver gives bigint as text and dates as Date in the machine's zone. Counters stay far below 2^53 and a
// local date has no zone, so both are read as what they are.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

const POOL_SIZE = 8;
const CONNECT_TIMEOUT_MS = 2_000;
/** Statements are ended by the server after 5 s, idle transactions after 10 s. */
const LIMITS = { query_timeout: 6_000, statement_timeout: 5_000, idle_in_transaction_session_timeout: 10_000 };

/** A pool on `url`. `is_unlimited`: for work that may take its time, such as an index over millions of rows. */
export function openDatabase(url: string, { is_unlimited = false } = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    pipeline: true,
    ...(is_unlimited ? {} : LIMITS),
  });
  // A broken connection, idle or in use, is replaced by the pool; without these listeners it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    pipelineStatements(client);
  });
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** PostgreSQL's error code ('23505', …) or the driver's ('ECONNREFUSED'), undefined for other errors. */
export function databaseErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Lost connections, a server on its way down, what lost a race against other transactions, and what waited too long for them:
 * later it may work.
 */
const UNAVAILABLE = /^(08|57P|57014|53|55P03|40P01|40001)|^(ECONN|EPIPE|ENOENT|ETIMEDOUT)/;

/** The database cannot be reached just now (as opposed to: it refused the statement). */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = databaseErrorCode(error);
  if (code !== undefined) return UNAVAILABLE.test(code);
  return (
    error instanceof Error &&
    /Connection terminated|timeout exceeded when trying to connect|Query read timeout/.test(error.message)
  );
}
