import { withSessionLock } from '#api/database/session-lock.ts';
import { type LoadOptions, runLoad } from './run-load.ts';
import { findUnfinishedLoad } from './store.ts';

/** A session lock of PostgreSQL: the node that holds it runs the loads. */
const LOCK = 'area_loads';

export interface LoadRunner {
  /** Runs the unfinished loads of all nodes, one at a time. Returns how many; 0 if another node holds the lock. */
  run(): Promise<number>;
  /** Stops this node's queries for a load that was cancelled. */
  stop(id: string): void;
  /** Stops the queries; the load goes on after the next start. */
  close(): Promise<void>;
}

export function createLoadRunner(options: LoadOptions): LoadRunner {
  const { database } = options;
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
        count += await runWithLock();
      }
      return count;
    } finally {
      running = undefined;
    }
  }

  async function runWithLock(): Promise<number> {
    if (!(await findUnfinishedLoad(database))) return 0;
    return (await withSessionLock(database, LOCK, runQueue)) ?? 0;
  }

  /** Runs one load after the other, until one is left for a later attempt. */
  async function runQueue(assertLocked: () => Promise<void>): Promise<number> {
    for (let count = 0; ; count += 1) {
      const load = shutdown.signal.aborted ? undefined : await findUnfinishedLoad(database);
      if (!load) return count;
      const cancel = new AbortController();
      current = { id: load.id, cancel };
      try {
        const signals = { cancelled: cancel.signal, shutdown: shutdown.signal };
        const outcome = await runLoad(load, { ...options, ...signals, assertLocked });
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
