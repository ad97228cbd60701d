import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '#api/database/database.ts';
import { type Attempt, createLoadQueue, type LoadQueue } from '#api/database/load-queue.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import type { TownService } from '#api/modules/towns/service.ts';
import { type CutTown, cutTown } from '../cut/cut-town.ts';
import { CutRefused } from '../cut/plan-cut.ts';
import { findUnfinishedLoad, type LoadChange, type UnfinishedLoad, updateLoad } from './store.ts';

/** Held while streets are cut, at all nodes and by the operator CLI. */
export const STREETS_LOCK = 'street_loads';

export interface StreetLoadOptions {
  /** Without statement time-outs. */
  database: Database;
  towns: Pick<TownService, 'getTown'>;
  /** MAP_STREETS_SOURCE. */
  source: string;
  data_dir: string;
  now: () => Date;
  log: Pick<FastifyBaseLogger, 'warn'>;
}

/** Cuts the streets of one town after the other. A cancelled load leaves the previous streets. */
export function createStreetLoadQueue(options: StreetLoadOptions): LoadQueue {
  const { database, log } = options;
  return createLoadQueue({
    database,
    table: 'street_loads',
    lock: STREETS_LOCK,
    findNext: () => findUnfinishedLoad(database),
    async run(load, attempt) {
      const { tiles, bytes, radius_km } = await cut(load, { ...options, ...attempt });
      await finishLoad(load.id, { status: 'done', radius_km }, { tiles, bytes, radius_km }, options);
    },
    toFailure: (error) => (error instanceof CutRefused ? error.message : undefined),
    fail: ({ id }, failure) => finishLoad(id, { status: 'failed', failure }, { failure }, options),
    log,
  });
}

/** Throws CutRefused, or if the signal is aborted. */
async function cut({ id, town_id }: UnfinishedLoad, options: StreetLoadOptions & Attempt): Promise<CutTown> {
  const { database, towns, source, data_dir, now, log, signal, assertContinues } = options;
  const town = towns.getTown(town_id);
  if (!town) throw new CutRefused('No town has this id.');
  let last_write: Promise<unknown> = Promise.resolve();
  const onProgress = (fetched: number, total: number) => {
    last_write = last_write
      .then(() => updateLoad(database, id, { fetched, total }))
      .catch((error: unknown) => log.warn({ err: error }, 'the progress of a load was not written'));
  };
  try {
    return await cutTown(town, { source, data_dir, now, signal, onProgress, beforeReplacing: assertContinues });
  } finally {
    await last_write;
  }
}

/** Ends a load, with a line in the audit trail. */
function finishLoad(
  id: string,
  change: LoadChange & { status: 'done' | 'failed' },
  details: object,
  { database, now }: StreetLoadOptions,
): Promise<void> {
  return database.transaction().execute(async (trx) => {
    if (!(await updateLoad(trx, id, { ...change, finished_at: now() }))) return;
    const act = `street_load_${change.status}` as const;
    await recordAudit(trx, { act, actor_id: null, details: { load_id: id, ...details } });
  });
}
