/** How often the leading tab says that it is there. */
const BEAT_MS = 1_000;
/** A leading tab that says nothing for so long was put to sleep with its lock. */
const SILENCE_MS = 5_000;

type Work = (signal: AbortSignal) => Promise<void>;

export interface LeadingDeps {
  /** A Web Lock of this browser: runs while it is held. With `steal` it is taken from whoever holds it. */
  request: (options: { signal?: AbortSignal; steal?: boolean }, run: () => Promise<void>) => Promise<void>;
  /** To the other tabs. */
  beat: () => void;
  /** Hears the other tabs' beats until the returned function is called. */
  onBeat: (listener: () => void) => () => void;
  isVisible: () => boolean;
}

/**
 * Runs the work while this tab is the one that leads, until `signal` aborts. Browsers put tabs to sleep that nobody looks
 * at, and such a tab keeps its lock: whoever is looked at and hears no beat takes the lock from it. The one that was robbed
 * stops its work when it wakes up, and queues again. Rejects where there are no locks to be had.
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

/** Its signal aborts once the tab was looked at for a while and no beat was heard. */
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
