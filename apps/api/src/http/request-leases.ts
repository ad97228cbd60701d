import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { PREPARED } from '../database/statement-pipeline.ts';
import { hashKey } from './attempt-limit.ts';

const MAX_BATCH = 500;

interface LeaseRequest {
  /** Key of the limit and the caller. At most one request per key waits at a time. */
  key: string;
  requests: number;
  window_ms: number;
}

/** The count after the lease. */
export interface LeaseCount {
  /** All requests that nodes have leased in the window, possibly more than its maximum. */
  leased: number;
  ends_at_ms: number;
}

interface Row {
  key: string;
  points: number;
  expire: number;
}

interface PendingLease extends Row {
  resolve: (count: LeaseCount) => void;
  reject: (error: unknown) => void;
}

/** Counts leases in the database. Leases that arrive while a statement runs share the next one. */
export function createLeaseCounter(database: Database): (request: LeaseRequest) => Promise<LeaseCount> {
  let pending: PendingLease[] = [];
  let is_running = false;

  const drainPending = async () => {
    while (pending.length > 0) {
      const batch = pending.slice(0, MAX_BATCH);
      pending = pending.slice(MAX_BATCH);
      try {
        const rows = new Map((await countLeases(database, batch)).map((row) => [row.key, row]));
        for (const { key, points, expire, resolve } of batch) {
          const row = rows.get(key) ?? { points, expire };
          resolve({ leased: row.points, ends_at_ms: row.expire });
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    is_running = false;
  };
  return ({ key, requests, window_ms }) =>
    new Promise((resolve, reject) => {
      pending.push({ key: hashKey(key), points: requests, expire: Date.now() + window_ms, resolve, reject });
      if (is_running) return;
      is_running = true;
      setImmediate(drainPending);
    });
}

/** In key order, so that no two nodes deadlock. */
async function countLeases(database: Database, batch: Row[]): Promise<Row[]> {
  const now_ms = Date.now();
  const keys = batch.map(({ key }) => key);
  const points = batch.map((row) => row.points);
  const ends = batch.map(({ expire }) => expire);
  const { rows } = await sql<Row>`${PREPARED}
    insert into request_counts as c (key, points, expire)
    select key, points, expire
    from unnest(${keys}::text[], ${points}::int[], ${ends}::int8[]) as wanted (key, points, expire) order by key
    on conflict (key) do update set
      points = case when c.expire <= ${now_ms}::int8 then excluded.points else c.points + excluded.points end,
      expire = case when c.expire <= ${now_ms}::int8 then excluded.expire else c.expire end
    returning key, points, expire`.execute(database);
  return rows;
}
