import type { Database } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { board_log_reads } from '#api/platform/measurements.ts';
import type { MemoryRanks } from './memory-ranks.ts';
import { type LogPosition, readLog, readLogEnd } from './read-log.ts';

/** A notification can be lost; then the log is read after this time. */
const POLL_MS = 5000;
const FIRST_RETRY_MS = 250;

/** Applies the change log to the store, one read at a time; changes notified during a read share the next one. */
export interface LogFollower {
  /** Notifies the follower that the log has new entries. */
  notifyChange(): void;
  /**
   * Resolves once all changes notified before are applied, immediately if they are; rejects with the error that
   * prevents reading the log.
   */
  catchUp(): Promise<void>;
  /** Fixes the log position to read from; required before a board is filled. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

interface Options {
  database: Database;
  store: MemoryRanks;
  log: { warn(fields: object, text: string): void };
  poll_ms?: number | undefined;
}

interface Waiter {
  target: number;
  resolve: () => void;
  reject: (error: unknown) => void;
}

export function createLogFollower({ database, store, log, poll_ms = POLL_MS }: Options): LogFollower {
  const readNewEntries = createLogReader(database, store);
  let is_active = false;
  let requested = 0;
  let applied = 0;
  let failures = 0;
  let is_closed = false;
  let running: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let waiters: Waiter[] = [];

  const rejectAll = (error: unknown) => {
    for (const { reject } of waiters.splice(0)) reject(error);
  };
  /** A read covers only the changes notified before it began. */
  const run = async () => {
    try {
      while (applied < requested && !is_closed) {
        const target = requested;
        await readNewEntries(is_active);
        applied = target;
        failures = 0;
        for (const { resolve } of waiters.filter((waiter) => waiter.target <= target)) resolve();
        waiters = waiters.filter((waiter) => waiter.target > target);
      }
    } catch (error) {
      failures += 1;
      rejectAll(error);
      if (is_closed) return;
      if (failures === 1) log.warn({ err: error }, 'the boards could not be brought up to date; retrying later');
      retry ??= setTimeout(resume, Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), POLL_MS)).unref();
    } finally {
      running = undefined;
    }
  };
  const resume = () => {
    clearTimeout(retry);
    retry = undefined;
    if (!is_closed) running ??= run();
  };
  const notifyChange = () => {
    requested += 1;
    // After a failure, retries later or on the next request.
    if (failures === 0) resume();
  };
  const catchUp = async () => {
    if (is_closed) throw new AppError('unavailable', 'The server is going down');
    if (applied >= requested) return;
    await new Promise<void>((resolve, reject) => {
      waiters.push({ target: requested, resolve, reject });
      resume();
    });
  };
  const poll = setInterval(() => {
    if (is_active) notifyChange();
  }, poll_ms).unref();

  return {
    notifyChange,
    catchUp,
    begin() {
      is_active = true;
      requested += 1;
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

/** Returns a function that reads new log entries and applies them; before the first board there is nothing to read. */
function createLogReader(database: Database, store: MemoryRanks): (is_active: boolean) => Promise<void> {
  let position: LogPosition | undefined;
  return async (is_active) => {
    if (position === undefined) {
      if (is_active) {
        position = await readLogEnd(database);
        board_log_reads.report(position);
      }
      return;
    }
    const { next, changes, erased_users } = await readLog(database, position);
    // A board filled from here on is read later than `next`, and needs only later entries.
    if (changes === undefined) store.clear();
    for (const user_id of erased_users) store.remove(user_id);
    if (changes && changes.length > 0) await store.apply(changes);
    position = next;
    board_log_reads.report(next);
  };
}
