import type { Database } from '#api/database/database.ts';
import { loadSnapshot, type Snapshot } from './snapshot.ts';
import { readDataVersion } from './store.ts';

const POLL_MS = 5000;
/** After a load, in its durations: managers who change centers again and again do not keep the nodes loading. */
const REST_FACTOR = 10;
const MAX_REST_MS = 30_000;

export interface Log {
  warn(details: object, message: string): void;
}

interface Options {
  database: Database;
  log?: Log | undefined;
  poll_ms?: number | undefined;
  /** Of a clock that never jumps. */
  clock_ms?: (() => number) | undefined;
}

/**
 * Loads the first snapshot, then a newer one within `poll_ms` of a change of the data, or after the rest from the last
 * load; returns the newest.
 */
export async function followSnapshots(options: Options) {
  const { database, poll_ms = POLL_MS, clock_ms = () => performance.now(), log } = options;
  let is_closed = false;
  let running: Promise<void> | undefined;
  let snapshot = await loadSnapshot(database);
  let rests_until_ms = 0;

  async function load(): Promise<void> {
    if ((await readDataVersion(database)) === snapshot.version) return;
    const began_ms = clock_ms();
    const [older, newer] = [snapshot, await loadSnapshot(database)];
    const ended_ms = clock_ms();
    rests_until_ms = ended_ms + Math.min((ended_ms - began_ms) * REST_FACTOR, MAX_REST_MS);
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
    if (clock_ms() < rests_until_ms) return;
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
    /** Loads a newer snapshot if there is one, without a rest; concurrent callers wait for the same load. */
    refresh,
    close: (): void => {
      is_closed = true;
      clearInterval(poll);
      snapshot.release();
    },
  };
}
