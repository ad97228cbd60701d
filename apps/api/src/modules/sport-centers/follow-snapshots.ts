import type { Database } from '#api/database/database.ts';
import { loadSnapshot, type Snapshot } from './snapshot.ts';
import { readDataVersion } from './store.ts';

const POLL_MS = 5000;

export interface Log {
  warn(details: object, message: string): void;
}

interface Options {
  database: Database;
  log?: Log | undefined;
  poll_ms?: number | undefined;
}

/** Loads the first snapshot, then a newer one within `poll_ms` of each change of the data; returns the newest. */
export async function followSnapshots(options: Options) {
  const { database, poll_ms = POLL_MS, log } = options;
  let is_closed = false;
  let running: Promise<void> | undefined;
  let snapshot = await loadSnapshot(database);

  async function load(): Promise<void> {
    if ((await readDataVersion(database)) === snapshot.version) return;
    const [older, newer] = [snapshot, await loadSnapshot(database)];
    if (is_closed) return newer.release();
    snapshot = newer;
    older.release();
  }

  function refresh(): Promise<void> {
    running ??= load().finally(() => {
      running = undefined;
    });
    return running;
  }

  const poll = setInterval(() => {
    refresh().catch((error: unknown) => log?.warn({ err: error }, 'sport centers could not be read again'));
  }, poll_ms);
  poll.unref();

  return {
    get snapshot() {
      return snapshot;
    },
    /** For work that awaits something but must keep the same snapshot. */
    async withSnapshot<Result>(work: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
      const held = snapshot;
      held.retain();
      try {
        return await work(held);
      } finally {
        held.release();
      }
    },
    /** Loads a newer snapshot if there is one; concurrent callers wait for the same load. */
    refresh,
    close: (): void => {
      is_closed = true;
      clearInterval(poll);
      snapshot.release();
    },
  };
}
