import type { Database } from '#api/platform/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { OutdatedReading, type RankStore } from './rank-store.ts';
import { type LogPosition, readLog, readLogEnd } from './read-log.ts';

/** A notification can be lost; then the log is read this much later. */
const POLL_MS = 5000;
const FIRST_RETRY_MS = 250;
/** Of readings that did not fit the store, one after the other. */
const MAX_OUTDATED = 20;

/** Applies the log to the store, one reading at a time; changes that are noted meanwhile share the next one. */
export interface Follower {
  /** There is more in the log. */
  noteChange(): void;
  /** Resolves once all that was noted before is applied, at once where it is; throws what keeps it from being read. */
  catchUp(): Promise<void>;
  /** Sees to it that the store has a watermark, without which no board may be filled. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

interface Options {
  database: Database;
  store: RankStore;
  log: { warn(fields: object, text: string): void };
  poll_ms?: number | undefined;
}

interface Waiter {
  target: number;
  resolve: () => void;
  reject: (error: unknown) => void;
}

export function createFollower({ database, store, log, poll_ms = POLL_MS }: Options): Follower {
  const reader = createLogReader(database, store);
  // What other nodes or an earlier life of this one left in the store may lack something.
  let noted = 1;
  let applied = 0;
  let failures = 0;
  let is_closed = false;
  let running: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let waiters: Waiter[] = [];

  const rejectAll = (error: unknown) => {
    for (const { reject } of waiters.splice(0)) reject(error);
  };
  /** Each reading begins after the notes that it settles. */
  const run = async () => {
    try {
      while (applied < noted && !is_closed) {
        const target = noted;
        await reader.readOn();
        applied = target;
        failures = 0;
        for (const { resolve } of waiters.filter((waiter) => waiter.target <= target)) resolve();
        waiters = waiters.filter((waiter) => waiter.target > target);
      }
    } catch (error) {
      failures += 1;
      rejectAll(error);
      if (is_closed) return;
      if (failures === 1)
        log.warn({ err: error }, 'the boards could not be brought up to date, it will be tried again');
      retry ??= setTimeout(goOn, Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), POLL_MS)).unref();
    } finally {
      running = undefined;
    }
  };
  const goOn = () => {
    clearTimeout(retry);
    retry = undefined;
    if (!is_closed) running ??= run();
  };
  const noteChange = () => {
    noted += 1;
    // After a failure it is tried again in time, or when somebody asks.
    if (failures === 0) goOn();
  };
  const catchUp = async () => {
    if (is_closed) throw new AppError('unavailable', 'The server is going down');
    if (applied >= noted) return;
    await new Promise<void>((resolve, reject) => {
      waiters.push({ target: noted, resolve, reject });
      goOn();
    });
  };
  const poll = setInterval(() => {
    if (reader.isWanted()) noteChange();
  }, poll_ms).unref();

  return {
    noteChange,
    catchUp,
    begin() {
      reader.want();
      noted += 1;
      return catchUp();
    },
    async close() {
      is_closed = true;
      clearInterval(poll);
      clearTimeout(retry);
      await running;
      rejectAll(new AppError('unavailable', 'The server is going down'));
    },
  };
}

interface LogReader {
  /** Reads what the log has since the watermark and applies it; then the watermark moves on. */
  readOn(): Promise<void>;
  /** From now on there are boards: where there is no watermark, reading begins at the present. */
  want(): void;
  isWanted(): boolean;
}

function createLogReader(database: Database, store: RankStore): LogReader {
  let is_wanted = false;
  /** Where this reader itself moved the watermark last. */
  let own: LogPosition | undefined;

  const moveTo = async (next: LogPosition) => {
    await store.writeWatermark(next.watermark);
    own = next;
  };
  const readOnce = async () => {
    const watermark = await store.readWatermark();
    if (watermark === undefined) {
      if (is_wanted) await moveTo(await readLogEnd(database));
      return;
    }
    // Where another node moved the watermark, or the store came back older, all since then is read again.
    const since = own?.watermark === watermark ? own : { watermark };
    own = undefined;
    const { next, changes, gone } = await readLog(database, since);
    // What is filled from here on is read later than `next` was, and needs only what comes after it.
    if (changes === undefined) await store.clear();
    for (const user_id of gone) await store.remove(user_id);
    if (changes && changes.length > 0) await store.apply(changes);
    await moveTo(next);
  };

  return {
    async readOn() {
      for (let tries = 1; ; tries++) {
        try {
          return await readOnce();
        } catch (error) {
          // The store may be older than what this reader applied.
          own = undefined;
          if (!(error instanceof OutdatedReading) || tries >= MAX_OUTDATED) throw error;
        }
      }
    },
    want() {
      is_wanted = true;
    },
    isWanted: () => is_wanted,
  };
}
