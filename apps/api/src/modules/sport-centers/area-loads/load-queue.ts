import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '#api/database/database.ts';
import { type Attempt, createLoadQueue, type LoadQueue } from '#api/database/load-queue.ts';
import { type AuditAct, recordAudit } from '#api/modules/audit/service.ts';
import { ImportError } from '../import/read/types.ts';
import type { ImportReport } from '../import/report.ts';
import {
  findUnfinishedLoad,
  type LoadChange,
  type UnfinishedLoad,
  updateLoad,
  wasRequestedByOperator,
} from './store.ts';

export interface LoadOptions {
  /** Without statement time-outs. */
  database: Database;
  /** The Overpass server. */
  endpoint: string;
  /** Stores the server's replies until the load has ended, so that an interrupted one resumes. */
  data_dir: string;
  now: () => Date;
  /** Between queries and tries; in tests shorter. */
  wait?: ((ms: number) => Promise<unknown>) | undefined;
  /** How soon a load notices that it was cancelled at another node, or that the lock is lost; in tests shorter. */
  check_interval_ms?: number | undefined;
  log: Pick<FastifyBaseLogger, 'warn'>;
}

/** Fetches each area, then saves it in one transaction. A cancelled load saves nothing. */
export function createAreaLoadQueue(options: LoadOptions): LoadQueue {
  const { database, log } = options;
  return createLoadQueue({
    database,
    table: 'area_loads',
    lock: 'area_loads',
    findNext: () => findUnfinishedLoad(database),
    async run(load, attempt) {
      const report = await importArea(load, { ...options, ...attempt });
      if (report) await finishLoad(load.id, { status: 'done', report }, options);
    },
    toFailure: (error) => (error instanceof ImportError ? error.message : undefined),
    fail: ({ id }, failure) => finishLoad(id, { status: 'failed', failure }, options),
    check_interval_ms: options.check_interval_ms,
    cleanUp: ({ id }) => rm(repliesFolder(id, options), { recursive: true, force: true }),
    log,
  });
}

/** Ends a load; an operator's has a line in the audit trail. */
function finishLoad(
  id: string,
  change: { status: 'done'; report: Counts } | { status: 'failed'; failure: string },
  { database, now }: LoadOptions,
): Promise<void> {
  const { status, ...outcome } = change;
  const act: AuditAct = status === 'done' ? 'area_load_done' : 'area_load_failed';
  return database.transaction().execute(async (trx) => {
    const ended = { ...change, retry_at: null, finished_at: now() };
    if (!(await updateLoad(trx, id, ['fetching', 'saving'], ended))) return;
    if (await wasRequestedByOperator(trx, id))
      await recordAudit(trx, { act, actor_id: null, details: { load_id: id, ...outcome } });
  });
}

type Counts = NonNullable<LoadChange['report']>;

/** Returns undefined if the load was cancelled. Throws an ImportError, or if the signal is aborted. */
async function importArea(load: UnfinishedLoad, options: LoadOptions & Attempt): Promise<Counts | undefined> {
  const { database, endpoint, wait, now, log, signal } = options;
  // Only now: with its borders of countries the importer takes 20 MB.
  const { openAreaSource } = await import('../import/import-source.ts');
  const { importCenters } = await import('../import/import-centers.ts');
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
      data_dir: repliesFolder(load.id, options),
      fresh: false,
      wait,
      on_busy: (wait_ms) => saveProgress({ retry_at: new Date(now().getTime() + wait_ms) }),
      signal,
    },
    ({ phase, done, total }) => {
      if (phase === 'fetch') saveProgress({ fetched: done, total, retry_at: null });
    },
  );
  const records = await source.open();
  await last_write;
  await options.assertContinues();
  if (!(await updateLoad(database, load.id, ['fetching'], { status: 'saving' }))) return undefined;
  const saving = { open: async () => records, database, keeps_many_open: true, is_of_stranger: !load.is_of_operator };
  return countsOf(await importCenters({ ...source, ...saving }));
}

function areaText({ west, south, east, north }: UnfinishedLoad): string {
  return [west, south, east, north].join(',');
}

/** Of this load alone: deleted at its end, so that the next load fetches fresh data. */
export function repliesFolder(id: string, { data_dir }: Pick<LoadOptions, 'data_dir'>): string {
  return join(data_dir, 'area-loads', id);
}

function countsOf(report: ImportReport): Counts {
  const { read, imported, updated, unchanged, merged_count, refused_count, closed, missing } = report;
  return { read, imported, updated, unchanged, merged: merged_count, refused: refused_count, closed, missing };
}
