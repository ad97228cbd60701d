import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import { type AuditAct, recordAudit } from '#api/modules/audit/service.ts';
import { importCenters } from '../import/import-centers.ts';
import { openAreaSource } from '../import/import-source.ts';
import { ImportError } from '../import/read/types.ts';
import type { ImportReport } from '../import/report.ts';
import {
  discountAttempt,
  findUnfinishedLoad,
  isOfOperator,
  type LoadChange,
  readStatus,
  startAttempt,
  type UnfinishedLoad,
  updateLoad,
} from './store.ts';

/** A session lock of PostgreSQL: the node that holds it runs the loads. */
const LOCK = 'area_loads';
/** How soon a load notices that it was cancelled at another node. */
const STATUS_CHECK_MS = 5_000;
/** A load that ends the server each time, by its memory for example, must not be retried forever. */
const MAX_ATTEMPTS = 3;
const MAX_FAILURE_LENGTH = 300;

export interface LoadRunnerOptions {
  /** Without statement time-outs. */
  database: Database;
  /** The Overpass server. */
  endpoint: string;
  /** Stores the server's replies until the load has ended, so that an interrupted one resumes. */
  data_dir: string;
  now: () => Date;
  /** Between queries and tries; in tests shorter. */
  wait?: ((ms: number) => Promise<unknown>) | undefined;
  log: Pick<FastifyBaseLogger, 'warn'>;
}

export interface LoadRunner {
  /** Runs the unfinished loads of all nodes, one at a time. Returns how many; 0 if another node holds the lock. */
  run(): Promise<number>;
  /** Stops this node's queries for a load that was cancelled. */
  stop(id: string): void;
  /** Stops the queries; the load goes on after the next start. */
  close(): Promise<void>;
}

export function createLoadRunner(options: LoadRunnerOptions): LoadRunner {
  const { database } = options;
  const shutdown = new AbortController();
  let current: { id: string; cancel: AbortController } | undefined;
  let running: Promise<number> | undefined;
  let is_requested = false;

  /** Runs again if a load was requested during the run. */
  async function runUntilIdle(): Promise<number> {
    let count = 0;
    try {
      while (is_requested) {
        is_requested = false;
        count += await runUnderLock();
      }
      return count;
    } finally {
      running = undefined;
    }
  }

  async function runUnderLock(): Promise<number> {
    if (!(await findUnfinishedLoad(database))) return 0;
    return database.connection().execute(async (connection) => {
      const lock = await sql<{ is_mine: boolean }>`
        select pg_try_advisory_lock(hashtext(${LOCK})) as is_mine`.execute(connection);
      if (!lock.rows[0]?.is_mine) return 0;
      // Throws once the connection, and with it the lock, is lost.
      const assertLocked = async () => void (await sql`select 1`.execute(connection));
      try {
        return await runLoads(assertLocked);
      } finally {
        await sql`select pg_advisory_unlock(hashtext(${LOCK}))`.execute(connection).catch(() => {});
      }
    });
  }

  async function runLoads(assertLocked: () => Promise<void>): Promise<number> {
    let count = 0;
    for (let load = await findUnfinishedLoad(database); load; load = await findUnfinishedLoad(database)) {
      if (shutdown.signal.aborted) break;
      current = { id: load.id, cancel: new AbortController() };
      await runLoad(load, { ...options, cancel: current.cancel, shutdown: shutdown.signal, assertLocked });
      current = undefined;
      count += 1;
    }
    return count;
  }

  return {
    run() {
      is_requested = true;
      running ??= runUntilIdle();
      return running;
    },
    stop(id) {
      if (current?.id === id) current.cancel.abort();
    },
    async close() {
      shutdown.abort();
      await running?.catch(() => {});
    },
  };
}

interface RunOptions extends LoadRunnerOptions {
  cancel: AbortController;
  shutdown: AbortSignal;
  assertLocked(): Promise<void>;
}

/** Fetches the area, then saves it in one transaction. A cancelled load saves nothing. */
async function runLoad(load: UnfinishedLoad, options: RunOptions): Promise<void> {
  const { database, log, cancel, shutdown } = options;
  const attempts = await startAttempt(database, load.id);
  if (attempts === undefined) return;
  const lost = new AbortController();
  const interrupted = AbortSignal.any([shutdown, lost.signal]);
  const status_check = setInterval(() => {
    readStatus(database, load.id)
      .then((status) => status === 'cancelled' && cancel.abort())
      .catch(() => {});
    options.assertLocked().catch(() => lost.abort());
  }, STATUS_CHECK_MS);
  try {
    if (attempts > MAX_ATTEMPTS) throw new ImportError('overpass_failed', `given up after ${MAX_ATTEMPTS} attempts`);
    const report = await importArea(load, { ...options, shutdown: interrupted });
    if (report) await finishLoad(load.id, { status: 'done', report }, options);
  } catch (error) {
    if (interrupted.aborted) await discountAttempt(database, load.id).catch(() => {});
    if (interrupted.aborted || cancel.signal.aborted || error instanceof LockLost) return;
    if (!(error instanceof ImportError)) log.warn({ err: error }, 'sport centers of an area could not be loaded');
    const failure =
      error instanceof ImportError ? error.message.slice(0, MAX_FAILURE_LENGTH) : 'the server could not store it';
    await finishLoad(load.id, { status: 'failed', failure }, options);
  } finally {
    clearInterval(status_check);
    if (!interrupted.aborted) await rm(repliesFolder(load, options), { recursive: true, force: true }).catch(() => {});
  }
}

/** Ends a load; an operator's has a line in the audit trail. */
function finishLoad(
  id: string,
  change: { status: 'done'; report: Counts } | { status: 'failed'; failure: string },
  { database, now }: RunOptions,
): Promise<void> {
  const { status, ...outcome } = change;
  const act: AuditAct = status === 'done' ? 'area_load_done' : 'area_load_failed';
  return database.transaction().execute(async (trx) => {
    const ended = { ...change, retry_at: null, finished_at: now() };
    if (!(await updateLoad(trx, id, ['fetching', 'saving'], ended))) return;
    if (await isOfOperator(trx, id))
      await recordAudit(trx, { act, actor_id: null, details: { load_id: id, ...outcome } });
  });
}

type Counts = NonNullable<LoadChange['report']>;

/** Returns undefined if the load was cancelled. Throws an ImportError. */
async function importArea(load: UnfinishedLoad, options: RunOptions): Promise<Counts | undefined> {
  const { database, endpoint, wait, now, log, cancel, shutdown } = options;
  let last_write: Promise<unknown> = Promise.resolve();
  /** Serialises progress writes. They may fail: the change to `saving` decides whether the load goes on. */
  const saveProgress = (change: LoadChange) => {
    last_write = last_write
      .then(() => updateLoad(database, load.id, ['fetching'], change))
      .catch((error: unknown) => log.warn({ err: error }, 'the progress of a load was not written'));
  };
  const source = openAreaSource(
    areaText(load),
    {
      endpoint,
      data_dir: repliesFolder(load, options),
      fresh: false,
      wait,
      on_busy: (wait_ms) => saveProgress({ retry_at: new Date(now().getTime() + wait_ms) }),
      signal: AbortSignal.any([cancel.signal, shutdown]),
    },
    ({ phase, done, total }) => {
      if (phase === 'fetch') saveProgress({ fetched: done, total, retry_at: null });
    },
  );
  const records = await source.open();
  await last_write;
  await options.assertLocked().catch(() => {
    throw new LockLost();
  });
  if (!(await updateLoad(database, load.id, ['fetching'], { status: 'saving' }))) return undefined;
  return countsOf(await importCenters({ ...source, open: async () => records, database, keeps_many_open: true }));
}

function areaText({ west, south, east, north }: UnfinishedLoad): string {
  return [west, south, east, north].join(',');
}

/** Of this load alone: deleted at its end, so that the next load fetches fresh data. */
function repliesFolder({ id }: UnfinishedLoad, { data_dir }: RunOptions): string {
  return join(data_dir, 'area-loads', id);
}

/** Another node may be running the load by now: this one stops, and leaves the load as it is. */
class LockLost extends Error {}

function countsOf(report: ImportReport): Counts {
  const { read, imported, updated, unchanged, merged_count, refused_count, closed, missing } = report;
  return { read, imported, updated, unchanged, merged: merged_count, refused: refused_count, closed, missing };
}
