/** Interval of the leader's heartbeat. */
const BEAT_MS = 1_000;
/** A leader that is silent for this long was put to sleep while it held the lock. */
const SILENCE_MS = 5_000;

type Work = (signal: AbortSignal) => Promise<void>;

export interface LeadingDeps {
  /** A Web Lock of this browser: runs while it is held. `steal` preempts the current holder. */
  request: (options: { signal?: AbortSignal; steal?: boolean }, run: () => Promise<void>) => Promise<void>;
  /** Sends a heartbeat to the other tabs. */
  beat: () => void;
  /** Calls back on other tabs' heartbeats; returns the function that unsubscribes. */
  onBeat: (listener: () => void) => () => void;
  isVisible: () => boolean;
}

/**
 * Runs the work while this tab is the leader, until `signal` aborts. Browsers put hidden tabs to sleep, and a sleeping
 * tab keeps its lock: a visible tab that hears no heartbeat takes the lock. The preempted leader stops its work when it
 * wakes, and queues again. Rejects if the browser has no locks.
 */
export async function lead(deps: LeadingDeps, work: Work, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const robbed = new AbortController();
    let is_leading = false;
    const run = async () => {
      is_leading = true;
      const until = AbortSignal.any([signal, robbed.signal]);
      const beats = setInterval(deps.beat, BEAT_MS);
      until.addEventListener('abort', () => clearInterval(beats));
      deps.beat();
      await work(until).finally(() => clearInterval(beats));
    };
    const patience = listenForBeats(deps);
    try {
      const until = AbortSignal.any([signal, patience.signal]);
      const leading = deps.request({ signal: until }, () => {
        patience.end();
        return run();
      });
      await leading.catch((error: unknown) => {
        if (is_leading || signal.aborted || !patience.signal.aborted) throw error;
        return deps.request({ steal: true }, run);
      });
      return;
    } catch (error) {
      if (!is_leading) throw error;
    } finally {
      patience.end();
      robbed.abort();
    }
  }
}

/** Its signal aborts once the tab has been visible for a while and no heartbeat was heard. */
function listenForBeats({ onBeat, isVisible }: LeadingDeps): { signal: AbortSignal; end: () => void } {
  const over = new AbortController();
  let silent_ms = 0;
  const stop = onBeat(() => {
    silent_ms = 0;
  });
  const clock = setInterval(() => {
    silent_ms = isVisible() ? silent_ms + BEAT_MS : 0;
    if (silent_ms < SILENCE_MS) return;
    end();
    over.abort();
  }, BEAT_MS);
  function end(): void {
    clearInterval(clock);
    stop();
  }
  return { signal: over.signal, end };
}
