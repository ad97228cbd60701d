import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '#api/database/database.ts';
import { withSessionLock } from '#api/database/session-lock.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import type { PlaceService } from '#api/modules/places/service.ts';
import { type CutTown, cutTown } from '../cut/cut-town.ts';
import { CutRefused } from '../cut/plan-cut.ts';
import {
  discountAttempt,
  findUnfinishedLoad,
  isCancelled,
  type LoadChange,
  startAttempt,
  updateLoad,
} from './store.ts';

/** Held while streets are cut, at all nodes and by the operator CLI. */
export const STREETS_LOCK = 'street_loads';
/** How soon a load notices that it was cancelled at another node. */
const STATUS_CHECK_MS = 5_000;
/** A load that ends the server each time, by its memory for example, must not be retried forever. */
const MAX_ATTEMPTS = 3;
const MAX_FAILURE_LENGTH = 300;

export interface StreetLoadRunnerOptions {
  /** Without statement time-outs. */
  database: Database;
  places: Pick<PlaceService, 'getPlace'>;
  /** MAP_STREETS_SOURCE. */
  source: string;
  data_dir: string;
  now: () => Date;
  log: Pick<FastifyBaseLogger, 'warn'>;
}

export interface StreetLoadRunner {
  /** Runs the load that is under way. Returns how many it ran; 0 if another node holds the lock. */
  run(): Promise<number>;
  /** Stops this node's requests for a load that was cancelled. */
  stop(id: string): void;
  /** Stops the requests; the load goes on after the next start. */
  close(): Promise<void>;
}

export function createStreetLoadRunner(options: StreetLoadRunnerOptions): StreetLoadRunner {
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
        if (await findUnfinishedLoad(database)) count += (await withSessionLock(database, STREETS_LOCK, runLoads)) ?? 0;
      }
      return count;
    } finally {
      running = undefined;
    }
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

interface RunOptions extends StreetLoadRunnerOptions {
  cancel: AbortController;
  shutdown: AbortSignal;
  assertLocked(): Promise<void>;
}

async function runLoad({ id, town_id }: { id: string; town_id: string }, options: RunOptions): Promise<void> {
  const { database, log, cancel, shutdown } = options;
  const attempts = await startAttempt(database, id);
  if (attempts === undefined) return;
  const lost = new AbortController();
  const interrupted = AbortSignal.any([shutdown, lost.signal]);
  const status_check = setInterval(() => {
    isCancelled(database, id)
      .then((is_cancelled) => is_cancelled && cancel.abort())
      .catch(() => {});
    options.assertLocked().catch(() => lost.abort());
  }, STATUS_CHECK_MS);
  try {
    if (attempts > MAX_ATTEMPTS) throw new CutRefused(`Given up after ${MAX_ATTEMPTS} attempts.`);
    const { tiles, bytes, radius_km } = await cut(id, town_id, AbortSignal.any([cancel.signal, interrupted]), options);
    await finishLoad(id, { status: 'done', radius_km }, { tiles, bytes, radius_km }, options);
  } catch (error) {
    if (interrupted.aborted) await discountAttempt(database, id).catch(() => {});
    if (interrupted.aborted || cancel.signal.aborted) return;
    if (!(error instanceof CutRefused)) log.warn({ err: error }, 'the streets of a town could not be loaded');
    const failure =
      error instanceof CutRefused ? error.message.slice(0, MAX_FAILURE_LENGTH) : 'The server could not store them.';
    await finishLoad(id, { status: 'failed', failure }, { failure }, options);
  } finally {
    clearInterval(status_check);
  }
}

/** Throws CutRefused. */
async function cut(id: string, town_id: string, signal: AbortSignal, options: RunOptions): Promise<CutTown> {
  const { database, places, source, data_dir, now, log } = options;
  const town = places.getPlace(town_id);
  if (!town) throw new CutRefused('No town has this id.');
  let last_write: Promise<unknown> = Promise.resolve();
  const onProgress = (fetched: number, total: number) => {
    last_write = last_write
      .then(() => updateLoad(database, id, { fetched, total }))
      .catch((error: unknown) => log.warn({ err: error }, 'the progress of a load was not written'));
  };
  try {
    return await cutTown(town, { source, data_dir, now, signal, onProgress });
  } finally {
    await last_write;
  }
}

/** Ends a load, with a line in the audit trail. */
function finishLoad(
  id: string,
  change: LoadChange & { status: 'done' | 'failed' },
  details: object,
  { database, now }: RunOptions,
): Promise<void> {
  return database.transaction().execute(async (trx) => {
    if (!(await updateLoad(trx, id, { ...change, finished_at: now() }))) return;
    const act = `street_load_${change.status}` as const;
    await recordAudit(trx, { act, actor_id: null, details: { load_id: id, ...details } });
  });
}
