import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { type PoolName, pool_waits } from '../platform/measurements.ts';
import { pipelineStatements } from './statement-pipeline.ts';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;
/** A running transaction; every store function takes `Database | Trx`. */
export type Trx = Transaction<Tables>;

// `pg` returns bigint as text and a date as a Date in the machine's zone. Our counters stay far below 2^53 and a local
// date has no zone: a bigint is read as a number, a date as text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

const POOL_SIZE = 8;
const CONNECT_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 5_000;

interface DatabaseOptions {
  /** No statement timeout: for long work, such as an index over millions of rows. */
  is_unlimited?: boolean;
  /** How long a caller waits for a connection. */
  connect_timeout_ms?: number;
  /** The server cancels a statement after this time and ends an idle transaction after twice as long. */
  statement_timeout_ms?: number;
}

/** Opens a connection pool on `url`. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const { connect_timeout_ms = CONNECT_TIMEOUT_MS, statement_timeout_ms = STATEMENT_TIMEOUT_MS } = options;
  const limits = {
    query_timeout: statement_timeout_ms + 1_000,
    statement_timeout: statement_timeout_ms,
    idle_in_transaction_session_timeout: 2 * statement_timeout_ms,
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: connect_timeout_ms,
    pipeline: true,
    ...(options.is_unlimited ? {} : limits),
  });
  // A broken connection, idle or in use, is replaced by the pool; without these listeners it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    pipelineStatements(client);
  });
  measureWaits(pool, options.is_unlimited ? 'jobs' : 'requests');
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  pools.set(database, pool);
  return database;
}

const pools = new WeakMap<Database, pg.Pool>();

/** The connections of a pool, and the callers that wait for one. */
export interface PoolUsage {
  used: number;
  idle: number;
  waiting: number;
  max: number;
}

/** Returns the usage of a database that `openDatabase` opened. */
export function readPoolUsage(database: Database): PoolUsage {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pools.get(database) ?? {};
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount, max: POOL_SIZE };
}

/** Reports how long callers wait for a connection, while the metrics listen. */
function measureWaits(pool: pg.Pool, name: PoolName): void {
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const connectMeasured = async () => {
    const asked_at = performance.now();
    let has_failed = true;
    try {
      const client = await connect();
      has_failed = false;
      return client;
    } finally {
      pool_waits.report({ pool: name, wait_ms: performance.now() - asked_at, has_failed });
    }
  };
  Object.assign(pool, { connect: () => (pool_waits.is_observed ? connectMeasured() : connect()) });
}

/** Codes of PostgreSQL (SQLSTATE). */
export const FOREIGN_KEY_VIOLATION = '23503';
export const UNIQUE_VIOLATION = '23505';
export const EXCLUSION_VIOLATION = '23P01';
export const SERIALIZATION_FAILURE = '40001';
export const DEADLOCK = '40P01';

/** Returns PostgreSQL's error code (`UNIQUE_VIOLATION`, …) or the driver's ('ECONNREFUSED'); undefined for other errors. */
export function databaseErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Lost connections, a server that is shutting down, transactions that lost a race or waited too long for a lock: a
 * retry may succeed.
 */
const UNAVAILABLE = /^(08|57P|57014|53|55P03|40P01|40001)|^(ECONN|EPIPE|ENOENT|ETIMEDOUT)/;

/** Returns true if the database is unreachable at the moment (as opposed to: it refused the statement). */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = databaseErrorCode(error);
  if (code !== undefined) return UNAVAILABLE.test(code);
  return (
    error instanceof Error &&
    /Connection terminated|is not queryable|timeout exceeded when trying to connect|Query read timeout/.test(
      error.message,
    )
  );
}
