import type { DrainEnd } from './drain.ts';
import type { SyncStatus, Timers } from './sync-status.ts';

/** Retry interval of a queue that is not empty. */
export const RETRY_WHILE_PENDING_MS = 60_000;

export interface RunnerDeps extends Timers {
  /** Runs exclusively in this browser, after all earlier runs. */
  lock: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** The user whom the server has confirmed; null: signed out, or not confirmed yet. */
  userId: () => string | null;
  isOnline: () => boolean;
  drain: (user_id: string, onBegin: () => void) => Promise<DrainEnd>;
  pendingCount: (user_id: string) => Promise<number>;
  onStatus: (status: SyncStatus) => void;
  /** The outbox itself failed (its database): never swallowed. */
  onBroken: (error: unknown) => void;
}

export interface Runner {
  /** Sends the queue. Resolves to false if an entry could not be sent. Calls during a run cause one more run. */
  kick(): Promise<boolean>;
}

/** The runner of one queue (the ops, or one chat's messages): decides when to drain, and reports the status. */
export function createRunner(deps: RunnerDeps): Runner {
  const { lock, userId, isOnline, drain, pendingCount, onStatus, onBroken, after } = deps;
  let running: Promise<boolean> | null = null;
  let again = false;
  let cancel = () => {};

  function lookAgain(delay_ms: number): void {
    cancel();
    cancel = after(delay_ms, () => void kick());
  }

  async function pass(): Promise<boolean> {
    const user_id = userId();
    if (user_id === null) return false;
    if (!isOnline()) {
      // `online` is not fired everywhere, so the queue is retried anyway.
      lookAgain(RETRY_WHILE_PENDING_MS);
      return (await pendingCount(user_id)) === 0;
    }
    const end = await lock(() => drain(user_id, () => onStatus('syncing')));
    if (end.outcome === 'signed_out') {
      onStatus('idle');
      // One refused call does not end a session; if the user is really signed out, the next run has no user.
      lookAgain(RETRY_WHILE_PENDING_MS);
      return false;
    }
    if (end.wait_ms !== null) lookAgain(end.wait_ms);
    if (end.outcome === 'failed') onStatus('error');
    else if (end.sent > 0) onStatus('success');
    return end.outcome === 'done';
  }

  async function run(): Promise<boolean> {
    try {
      for (;;) {
        again = false;
        const done = await pass();
        if (!again) return done;
      }
    } catch (error) {
      onStatus('error');
      onBroken(error);
      lookAgain(RETRY_WHILE_PENDING_MS);
      return false;
    } finally {
      running = null;
    }
  }

  function kick(): Promise<boolean> {
    again = true;
    cancel();
    running ??= run();
    return running;
  }

  return { kick };
}
