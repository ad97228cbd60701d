import { createHash } from 'node:crypto';
import { HOUR_MS, MINUTE_MS } from '@sendlap/domain/durations.ts';
import { CompiledQuery, sql } from 'kysely';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '../database/database.ts';
import { PREPARED_PREFIX } from '../database/statement-pipeline.ts';
import { createPeriodicJob, type PeriodicJob } from '../platform/periodic-job.ts';

const PRUNING_INTERVAL_MS = 300_000;
/** Attempt counts survive a crash of PostgreSQL; request counts (`request-limit.ts`) need not. */
const TABLES = ['attempt_counts', 'request_counts'] as const;

export interface AttemptLimit {
  /** Counts one attempt on any node. Returns false if the window that the first attempt opened already has too many. */
  tryConsume(key: string): Promise<boolean>;
  /** As `tryConsume`. Returns undefined if the attempt passes, else for how many more ms its window lasts. */
  consume(key: string): Promise<number | undefined>;
  /** Takes back one counted attempt while its window lasts. */
  refund(key: string): Promise<void>;
  /** Called after a success, so that the owner's earlier typing errors no longer count. */
  reset(key: string): Promise<void>;
}

interface AttemptLimitOptions {
  /** Name of the limited action; limits with the same name share their counts. */
  name: string;
  max: number;
  /** One minute by default. */
  window_ms?: number;
}

/**
 * Allows at most `max` attempts per key and window. The database counts, so the limit holds across nodes and restarts.
 */
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

  const consume = async (key: string) => {
    try {
      await limiter.consume(hashKey(key));
      return undefined;
    } catch (problem) {
      if (problem instanceof RateLimiterRes) return problem.msBeforeNext;
      throw problem;
    }
  };

  return {
    tryConsume: async (key) => (await consume(key)) === undefined,
    consume,
    async refund(key) {
      // The library's own would leave a credit if the window is over.
      await sql`
        update attempt_counts set points = points - 1
        where key = ${limiter.getKey(hashKey(key))} and points > 0 and expire > ${Date.now()}`.execute(database);
    },
    async reset(key) {
      await limiter.delete(hashKey(key));
    },
  };
}

/** Allows at most `max` attempts per key and hour. */
export function createHourlyLimit(database: Database, name: string, max: number): AttemptLimit {
  return createAttemptLimit(database, { name, max, window_ms: HOUR_MS });
}

/** Adapts our connections to the pool interface of the rate-limit library. */
function createStoreClient(database: Database) {
  return {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const { rows, numAffectedRows = 0n } = await database.executeQuery(
        CompiledQuery.raw(PREPARED_PREFIX + text, values),
      );
      return { rows, rowCount: rows.length || Number(numAffectedRows) };
    },
  };
}

/** Keys are e-mails and IP addresses of any length: the table stores only hashes. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

interface PruningOptions {
  database: Database;
  log: { warn(fields: object, text: string): void };
}

/** Job that removes expired counts. */
export function createAttemptPruning({ database, log }: PruningOptions): PeriodicJob {
  return createPeriodicJob({
    name: 'attempt_pruning',
    interval_ms: PRUNING_INTERVAL_MS,
    async work() {
      let removed = 0;
      for (const table of TABLES) {
        // Skips rows that a batch of leases has locked: locks taken in two orders would deadlock.
        const { numAffectedRows = 0n } = await sql`
          delete from ${sql.table(table)} where key in (
            select key from ${sql.table(table)} where expire < ${Date.now()} for update skip locked
          )`.execute(database);
        removed += Number(numAffectedRows);
      }
      return removed;
    },
    log,
    failure_message: 'removing old counts of attempts failed; retrying later',
  });
}

/** Returns the address as a limit counts it: an IPv6 subscriber has a whole /64. */
export function addressKey(ip: string): string {
  return ip.includes(':') && !ip.includes('.') ? toNetworkPrefix(ip) : ip;
}

function toNetworkPrefix(ip: string): string {
  const [head = '', tail] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const tail_groups = tail === '' ? 0 : tail.split(':').length;
    while (groups.length + tail_groups < 8) groups.push('0');
  }
  return groups.slice(0, 4).join(':');
}
