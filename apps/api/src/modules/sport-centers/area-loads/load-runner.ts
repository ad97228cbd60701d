import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import { importCenters } from '../import/import-centers.ts';
import { openAreaSource } from '../import/import-source.ts';
import { ImportError } from '../import/read/types.ts';
import type { ImportReport } from '../import/report.ts';
import { findOpenLoad, type LoadChange, type OpenLoad, updateLoad } from './store.ts';

/** Held, in PostgreSQL, by the node that carries loads out. */
const LOCK = 'area_loads';

export interface LoadRunnerOptions {
  /** Without statement time-outs. */
  database: Database;
  /** The Overpass server. */
  endpoint: string;
  /** Keeps the server's replies for a day, so that an interrupted load resumes. */
  data_dir: string;
  now: () => Date;
  /** Between queries and tries; in tests shorter. */
  wait?: ((ms: number) => Promise<unknown>) | undefined;
  log: Pick<FastifyBaseLogger, 'warn'>;
}

export interface LoadRunner {
  /** Carries out the open loads of all nodes, one at a time. Returns their number; 0 if another node is doing it. */
  run(): Promise<number>;
  /** Stops this node's queries for a load that was cancelled. */
  stop(id: string): void;
  /** Stops the queries; the load goes on after the next start. */
  close(): Promise<void>;
}

export function createLoadRunner(options: LoadRunnerOptions): LoadRunner {
  const { database } = options;
  const closing = new AbortController();
  let current: { id: string; cancel: AbortController } | undefined;
  let running: Promise<number> | undefined;

  async function runAll(): Promise<number> {
    if (!(await findOpenLoad(database))) return 0;
    return database.connection().execute(async (connection) => {
      const lock = await sql<{ is_mine: boolean }>`
        select pg_try_advisory_lock(hashtext(${LOCK})) as is_mine`.execute(connection);
      if (!lock.rows[0]?.is_mine) return 0;
      try {
        return await runOpenLoads();
      } finally {
        await sql`select pg_advisory_unlock(hashtext(${LOCK}))`.execute(connection);
      }
    });
  }

  async function runOpenLoads(): Promise<number> {
    let count = 0;
    for (let load = await findOpenLoad(database); load; load = await findOpenLoad(database)) {
      if (closing.signal.aborted) break;
      current = { id: load.id, cancel: new AbortController() };
      await carryOut(load, current.cancel, closing.signal, options);
      current = undefined;
      count += 1;
    }
    return count;
  }

  return {
    run() {
      running ??= runAll().finally(() => {
        running = undefined;
      });
      return running;
    },
    stop(id) {
      if (current?.id === id) current.cancel.abort();
    },
    async close() {
      closing.abort();
      await running?.catch(() => {});
    },
  };
}

/** Fetches the area, then saves it in one transaction. A cancelled load saves nothing. */
async function carryOut(
  load: OpenLoad,
  cancel: AbortController,
  closing: AbortSignal,
  options: LoadRunnerOptions,
): Promise<void> {
  const { database, now, log } = options;
  const end = (change: LoadChange) =>
    updateLoad(database, load.id, ['fetching', 'saving'], { ...change, retry_at: null, finished_at: now() });
  if (!(await updateLoad(database, load.id, ['waiting', 'fetching', 'saving'], { status: 'fetching' }))) return;
  try {
    const report = await loadArea(load, cancel, closing, options);
    if (report === undefined) return;
    await end({ status: 'done', report });
    await recordAudit(database, { act: 'area_load_done', actor_id: null, details: { load_id: load.id, ...report } });
  } catch (error) {
    // Cancelled, or to be resumed after the next start.
    if (cancel.signal.aborted || closing.aborted) return;
    if (!(error instanceof ImportError)) log.warn({ err: error }, 'sport centers of an area could not be loaded');
    const failure = error instanceof ImportError ? error.message : 'the database could not save it';
    await end({ status: 'failed', failure });
    await recordAudit(database, { act: 'area_load_failed', actor_id: null, details: { load_id: load.id, failure } });
  }
}

type Counts = NonNullable<LoadChange['report']>;

/** Returns undefined if the load was cancelled. Throws an ImportError. */
async function loadArea(
  { id, west, south, east, north }: OpenLoad,
  cancel: AbortController,
  closing: AbortSignal,
  { database, endpoint, data_dir, wait, now }: LoadRunnerOptions,
): Promise<Counts | undefined> {
  let last_write: Promise<unknown> = Promise.resolve();
  /** In order. A load that is no longer being fetched was cancelled, perhaps at another node. */
  const write = (change: LoadChange) => {
    last_write = last_write.then(async () => {
      if (!(await updateLoad(database, id, ['fetching'], change))) cancel.abort();
    });
    last_write.catch(() => {});
  };
  const source = openAreaSource(
    [west, south, east, north].join(','),
    {
      endpoint,
      data_dir,
      fresh: false,
      wait,
      on_busy: (wait_ms) => write({ retry_at: new Date(now().getTime() + wait_ms) }),
      signal: AbortSignal.any([cancel.signal, closing]),
    },
    ({ phase, done, total }) => {
      if (phase === 'fetch') write({ fetched: done, total, retry_at: null });
    },
  );
  const records = await source.open();
  await last_write;
  if (!(await updateLoad(database, id, ['fetching'], { status: 'saving' }))) return undefined;
  return countsOf(await importCenters({ ...source, open: async () => records, database }));
}

function countsOf({ read, imported, updated, unchanged, merged_count, refused_count, closed }: ImportReport): Counts {
  return { read, imported, updated, unchanged, merged: merged_count, refused: refused_count, closed };
}
