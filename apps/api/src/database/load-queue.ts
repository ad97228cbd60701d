import { sql } from 'kysely';
import type { Database } from './database.ts';
import { withSessionLock } from './session-lock.ts';

const CHECK_INTERVAL_MS = 5_000;
/** A load that ends the server each time, by its memory for example, must not be retried forever. */
const MAX_ATTEMPTS = 3;
const MAX_FAILURE_LENGTH = 300;

export interface Attempt {
  /** Aborted by a cancellation, by a lost lock and by the shutdown of the server. */
  signal: AbortSignal;
  /** Rejects if the signal is aborted, or has to be: before a step that other nodes or users would see. */
  assertContinues(): Promise<void>;
}

interface LoadQueueOptions<Load extends { id: string }> {
  /** Without statement time-outs. */
  database: Database;
  /** With the columns `id`, `status`, `attempts` and `finished_at`. */
  table: 'area_loads' | 'street_loads';
  /** Of the session lock: the node that holds it runs the loads. */
  lock: string;
  /** Returns the unfinished load that is next. */
  findNext: () => Promise<Load | undefined>;
  /** Runs a load to its end, or throws. */
  run: (load: Load, attempt: Attempt) => Promise<void>;
  /** Returns the sentence for the operator; undefined if another attempt may succeed. */
  toFailure: (error: unknown) => string | undefined;
  /** Ends a load that failed. */
  fail: (load: Load, failure: string) => Promise<void>;
  /** Removes the files of a load that has ended. */
  cleanUp?: (load: Load) => Promise<void>;
  /** How soon a load notices that it was cancelled at another node, or that the lock is lost. */
  check_interval_ms?: number | undefined;
  log: { warn(fields: object, text: string): void };
}

export interface LoadQueue {
  /** Runs the unfinished loads of all nodes, one at a time. Returns how many; 0 if another node holds the lock. */
  run(): Promise<number>;
  /** Stops this node's attempt at a load that was cancelled. */
  stop(id: string): void;
  /** Interrupts the attempt; the load goes on after the next start. */
  close(): Promise<void>;
}

/** `ended`: done, failed or cancelled. Otherwise the load is left for another attempt. */
type Outcome = 'ended' | 'interrupted' | 'lock_lost';

/** Runs the loads of a table, one at a time at all nodes. A load that a crash interrupted is run again. */
export function createLoadQueue<Load extends { id: string }>(options: LoadQueueOptions<Load>): LoadQueue {
  const { database, lock, findNext } = options;
  const shutdown = new AbortController();
  let current: { id: string; cancel: AbortController } | undefined;
  let running: Promise<number> | undefined;
  let is_requested = false;

  /** Runs again if a load was requested during the run. */
  async function runRequested(): Promise<number> {
    let count = 0;
    try {
      while (is_requested && !shutdown.signal.aborted) {
        is_requested = false;
        if (await findNext()) count += (await withSessionLock(database, lock, runQueue)) ?? 0;
      }
      return count;
    } finally {
      running = undefined;
    }
  }

  /** Runs one load after the other, until one is left for a later attempt. */
  async function runQueue(assertLocked: () => Promise<void>): Promise<number> {
    for (let count = 0; ; count += 1) {
      const load = shutdown.signal.aborted ? undefined : await findNext();
      if (!load) return count;
      const cancel = new AbortController();
      current = { id: load.id, cancel };
      try {
        const outcome = await runAttempt(load, { ...options, cancel, shutdown: shutdown.signal, assertLocked });
        if (outcome === 'lock_lost') is_requested = true;
        if (outcome !== 'ended') return count;
      } finally {
        current = undefined;
      }
    }
  }

  return {
    run() {
      is_requested = true;
      running ??= runRequested();
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

interface AttemptOptions<Load extends { id: string }> extends LoadQueueOptions<Load> {
  cancel: AbortController;
  shutdown: AbortSignal;
  /** Rejects once another node may hold the lock. */
  assertLocked: () => Promise<void>;
}

async function runAttempt<Load extends { id: string }>(load: Load, options: AttemptOptions<Load>): Promise<Outcome> {
  const { cancel, shutdown, assertLocked, check_interval_ms = CHECK_INTERVAL_MS, log } = options;
  const attempts = await startAttempt(options, load.id);
  if (attempts === undefined) return 'ended';
  const lost = new AbortController();
  const signal = AbortSignal.any([cancel.signal, shutdown, lost.signal]);
  const assertContinues = async () => {
    await assertLocked().catch(() => lost.abort());
    if (await isCancelled(options, load.id)) cancel.abort();
    signal.throwIfAborted();
  };
  const check = setInterval(() => void assertContinues().catch(() => {}), check_interval_ms);
  try {
    if (attempts > MAX_ATTEMPTS) await options.fail(load, `Given up after ${MAX_ATTEMPTS} attempts.`);
    else await options.run(load, { signal, assertContinues });
  } catch (error) {
    if (lost.signal.aborted || shutdown.aborted) {
      await discountAttempt(options, load.id).catch(() => {});
      return lost.signal.aborted ? 'lock_lost' : 'interrupted';
    }
    if (!signal.aborted) {
      const failure = options.toFailure(error);
      if (failure === undefined) {
        log.warn({ err: error, load_id: load.id }, 'a load could not be run');
        return 'interrupted';
      }
      await options.fail(load, failure.slice(0, MAX_FAILURE_LENGTH));
    }
  } finally {
    clearInterval(check);
  }
  await options.cleanUp?.(load).catch(() => {});
  return 'ended';
}

type Loads = Pick<LoadQueueOptions<{ id: string }>, 'database' | 'table'>;

/** Sets an unfinished load to `fetching`. Returns the number of attempts, including this one; undefined if it has ended. */
async function startAttempt({ database, table }: Loads, id: string): Promise<number | undefined> {
  const { rows } = await sql<{ attempts: number }>`
    update ${sql.table(table)} set status = 'fetching', attempts = attempts + 1
    where id = ${id} and finished_at is null returning attempts`.execute(database);
  return rows[0]?.attempts;
}

/** An attempt that a shutdown or a lost lock interrupted does not count. */
async function discountAttempt({ database, table }: Loads, id: string): Promise<void> {
  await sql`
    update ${sql.table(table)} set attempts = attempts - 1 where id = ${id} and attempts > 0`.execute(database);
}

async function isCancelled({ database, table }: Loads, id: string): Promise<boolean> {
  const { rows } = await sql<{ status: string }>`
    select status from ${sql.table(table)} where id = ${id}`.execute(database);
  return rows[0]?.status === 'cancelled';
}
