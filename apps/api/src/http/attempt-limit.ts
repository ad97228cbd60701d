import { createHash } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '../database/database.ts';
import { PREPARED_MARK } from '../database/statement-pipeline.ts';
import { createPeriodicJob, type PeriodicJob } from '../platform/periodic-job.ts';

const MINUTE_MS = 60_000;
const PRUNING_INTERVAL_MS = 300_000;
/** Of attempts, which outlive a crash of PostgreSQL, and of requests (`request-limit.ts`), which need not. */
const TABLES = ['attempt_counts', 'request_counts'] as const;

export interface AttemptLimit {
  /** Counts one attempt, on whatever node. False when there were too many in the window that the first of them began. */
  take(key: string): Promise<boolean>;
  /** After a success: the owner's own typing errors are forgotten. */
  forget(key: string): Promise<void>;
}

interface AttemptLimitOptions {
  /** Of what; two limits of one name count together. */
  name: string;
  max: number;
  /** A minute unless said. */
  window_ms?: number;
}

/** At most `max` attempts per key in a window, counted in the database: for all nodes, and over restarts. */
export function createAttemptLimit(
  database: Database,
  { name, max, window_ms = MINUTE_MS }: AttemptLimitOptions,
): AttemptLimit {
  const limiter = new RateLimiterPostgres({
    storeClient: createStoreClient(database),
    storeType: 'pool',
    tableName: 'attempt_counts',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points: max,
    duration: window_ms / 1000,
  });

  return {
    async take(key) {
      try {
        await limiter.consume(hashOf(key));
        return true;
      } catch (problem) {
        if (problem instanceof RateLimiterRes) return false;
        throw problem;
      }
    },
    async forget(key) {
      await limiter.delete(hashOf(key));
    },
  };
}

/** What the library asks of a pool, on the connections of ours. */
function createStoreClient(database: Database) {
  return {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const { rows, numAffectedRows = 0n } = await database.executeQuery(
        CompiledQuery.raw(PREPARED_MARK + text, values),
      );
      return { rows, rowCount: rows.length || Number(numAffectedRows) };
    },
  };
}

/** Keys are e-mails and addresses: the table holds none, and they may be of any length. */
export function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

interface PruningOptions {
  database: Database;
  log: { warn(fields: object, text: string): void };
}

/** The job that removes counts whose window is over. */
export function createAttemptPruning({ database, log }: PruningOptions): PeriodicJob {
  return createPeriodicJob({
    interval_ms: PRUNING_INTERVAL_MS,
    async work() {
      let removed = 0;
      for (const table of TABLES) {
        // Rows that a batch of leases holds stay: locks taken in two orders would deadlock.
        const { numAffectedRows = 0n } = await sql`
          delete from ${sql.table(table)} where key in (
            select key from ${sql.table(table)} where expire < ${Date.now()} for update skip locked
          )`.execute(database);
        removed += Number(numAffectedRows);
      }
      return removed;
    },
    log,
    failure: 'removing old counts of attempts failed, it will be tried again',
  });
}

/** An address as a limit counts it: one subscriber of IPv6 has a whole /64. */
export function addressKey(ip: string): string {
  return ip.includes(':') && !ip.includes('.') ? expandHead(ip) : ip;
}

function expandHead(ip: string): string {
  const [head = '', tail] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const tail_groups = tail === '' ? 0 : tail.split(':').length;
    while (groups.length + tail_groups < 8) groups.push('0');
  }
  return groups.slice(0, 4).join(':');
}
