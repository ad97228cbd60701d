/** Interval of the leader's heartbeat. */
const HEARTBEAT_MS = 1_000;
/** A leader that is silent for this long was put to sleep while it held the lock. */
const SILENCE_TIMEOUT_MS = 5_000;

type Work = (signal: AbortSignal) => Promise<void>;

export interface LeadershipDeps {
  /** A Web Lock of this browser: runs while it is held. `steal` preempts the current holder. */
  request: (options: { signal?: AbortSignal; steal?: boolean }, run: () => Promise<void>) => Promise<void>;
  /** Sends a heartbeat to the other tabs. */
  sendHeartbeat: () => void;
  /** Calls back on other tabs' heartbeats; returns the function that unsubscribes. */
  onHeartbeat: (listener: () => void) => () => void;
  isVisible: () => boolean;
}

/**
 * Runs the work while this tab is the leader, until `signal` aborts. Browsers put hidden tabs to sleep, and a sleeping
 * tab keeps its lock: a visible tab that hears no heartbeat takes the lock. The preempted leader stops its work when it
 * wakes, and queues again. Rejects if the browser has no locks.
 */
export async function runAsLeader(deps: LeadershipDeps, work: Work, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const preempted = new AbortController();
    let is_leading = false;
    const run = async () => {
      is_leading = true;
      const until = AbortSignal.any([signal, preempted.signal]);
      const heartbeat_timer = setInterval(deps.sendHeartbeat, HEARTBEAT_MS);
      until.addEventListener('abort', () => clearInterval(heartbeat_timer));
      deps.sendHeartbeat();
      await work(until).finally(() => clearInterval(heartbeat_timer));
    };
    const silence_watch = watchForSilence(deps);
    try {
      const until = AbortSignal.any([signal, silence_watch.signal]);
      const lock_request = deps.request({ signal: until }, () => {
        silence_watch.end();
        return run();
      });
      await lock_request.catch((error: unknown) => {
        if (is_leading || signal.aborted || !silence_watch.signal.aborted) throw error;
        return deps.request({ steal: true }, run);
      });
      return;
    } catch (error) {
      if (!is_leading) throw error;
    } finally {
      silence_watch.end();
      preempted.abort();
    }
  }
}

/** Its signal aborts once the tab has been visible for a while and no heartbeat was heard. */
function watchForSilence({ onHeartbeat, isVisible }: LeadershipDeps): { signal: AbortSignal; end: () => void } {
  const silence = new AbortController();
  let silent_ms = 0;
  const unsubscribe = onHeartbeat(() => {
    silent_ms = 0;
  });
  const clock = setInterval(() => {
    silent_ms = isVisible() ? silent_ms + HEARTBEAT_MS : 0;
    if (silent_ms < SILENCE_TIMEOUT_MS) return;
    end();
    silence.abort();
  }, HEARTBEAT_MS);
  function end(): void {
    clearInterval(clock);
    unsubscribe();
  }
  return { signal: silence.signal, end };
}
