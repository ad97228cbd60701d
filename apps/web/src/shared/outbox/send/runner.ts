import type { DrainResult } from './drain.ts';
import { PageLeftError, untilLeft } from './leaving.ts';
import type { SyncStatus, Timers } from './sync-status.ts';

/** Retry interval offline and after a failure. */
export const RETRY_WHILE_PENDING_MS = 60_000;

export interface RunnerDeps extends Timers {
  /** Runs exclusively in this browser, after all earlier runs; rejects if the signal aborts before its turn. */
  lock: <Value>(work: () => Promise<Value>, signal: AbortSignal) => Promise<Value>;
  /** Returns the signal of this visit to the page, see `watchLeaving`. Omitted: the page is never left. */
  visit?: (() => AbortSignal) | undefined;
  /** Id of the signed-in user once the start-up has asked the server, answered or not; null: signed out, or still asking. */
  userId: () => string | null;
  isOnline: () => boolean;
  /** Once the signal has aborted, it sends nothing more: another runner may have begun. */
  drain: (user_id: string, onBegin: () => void, signal: AbortSignal) => Promise<DrainResult>;
  /** Whether no entry waits. */
  isEmpty: (user_id: string) => Promise<boolean>;
  onStatus: (status: SyncStatus) => void;
  /** The outbox itself failed (its database): never swallowed. */
  onStorageError: (error: unknown) => void;
}

export interface Runner {
  /** Sends the queue. Resolves to false if an entry could not be sent. Calls during a run cause one more run. */
  flush(): Promise<boolean>;
}

/** The runner of one queue (the ops, or one chat's messages): decides when to drain, and reports the status. */
export function createRunner(deps: RunnerDeps): Runner {
  const { lock, userId, isOnline, drain, isEmpty, onStatus, onStorageError, schedule } = deps;
  const { visit = () => new AbortController().signal } = deps;
  let running: Promise<boolean> | null = null;
  let rerun_requested = false;
  let cancel = () => {};

  function scheduleRun(delay_ms: number): void {
    cancel();
    cancel = schedule(delay_ms, () => void flush());
  }

  async function runOnce(): Promise<boolean> {
    const user_id = userId();
    if (user_id === null) return false;
    if (!isOnline()) {
      // `online` is not fired everywhere, so the queue is retried anyway.
      scheduleRun(RETRY_WHILE_PENDING_MS);
      return isEmpty(user_id);
    }
    const signal = visit();
    const onBegin = () => {
      if (!signal.aborted) onStatus('syncing');
    };
    const result = await lock(() => untilLeft(signal, () => drain(user_id, onBegin, signal)), signal);
    if (result.outcome === 'signed_out') {
      onStatus('idle');
      // One refused call does not end a session; if the user is really signed out, the next run has no user.
      scheduleRun(RETRY_WHILE_PENDING_MS);
      return false;
    }
    if (result.wait_ms !== null) scheduleRun(result.wait_ms);
    if (result.outcome === 'failed') onStatus('error');
    else if (result.sent > 0) onStatus('success');
    return result.outcome === 'done';
  }

  async function run(): Promise<boolean> {
    try {
      for (;;) {
        rerun_requested = false;
        const done = await runOnce();
        if (!rerun_requested) return done;
      }
    } catch (error) {
      if (error instanceof PageLeftError) {
        onStatus('idle');
        // Shown again before its work has ended: what asked for another run meant this visit.
        return rerun_requested && !visit().aborted ? await run() : false;
      }
      onStatus('error');
      onStorageError(error);
      scheduleRun(RETRY_WHILE_PENDING_MS);
      return false;
    } finally {
      running = null;
    }
  }

  function flush(): Promise<boolean> {
    rerun_requested = true;
    cancel();
    running ??= run();
    return running;
  }

  return { flush };
}
