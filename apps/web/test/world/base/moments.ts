const REPLACED = ['setTimeout', 'clearTimeout', 'setImmediate'] as const;
/** Of the process, whatever a world replaces. */
const hostSetImmediate = globalThis.setImmediate;

/**
 * The virtual time of a world, and the timers and tasks that run by it. Time passes only in `pass`; before each timer all
 * tasks (transactions of the fake database) and promises have ended, so that a seed repeats its world.
 */
export function createMoments() {
  const timers = new Map<number, { at: number; run: () => void }>();
  let now = Date.UTC(2026, 10, 20, 10);
  let last_timer_id = 0;
  let tasks = 0;

  function setTimer(run: () => void, delay_ms = 0): number {
    last_timer_id += 1;
    timers.set(last_timer_id, { at: now + delay_ms, run });
    return last_timer_id;
  }

  function setTask(run: () => void): void {
    tasks += 1;
    hostSetImmediate(() => {
      tasks -= 1;
      run();
    });
  }

  /** Lets tasks and promises run: all of them, or at most this many turns. */
  async function settle(most_turns = Number.POSITIVE_INFINITY): Promise<void> {
    for (let turns = 0; turns < most_turns; turns += 1) {
      await new Promise<void>((done) => void hostSetImmediate(done));
      if (tasks === 0) return;
    }
  }

  function takeTimer(until: number): (() => void) | null {
    let next: [number, { at: number; run: () => void }] | null = null;
    for (const entry of timers) if (entry[1].at <= until && (!next || entry[1].at < next[1].at)) next = entry;
    if (!next) return null;
    timers.delete(next[0]);
    now = Math.max(now, next[1].at);
    return next[1].run;
  }

  async function pass(duration_ms: number): Promise<void> {
    const end = now + duration_ms;
    for (;;) {
      await settle();
      const run = takeTimer(end);
      if (!run) break;
      run();
    }
    now = end;
  }

  return {
    now: () => now,
    pass,
    settle,
    after(delay_ms: number, run: () => void): () => void {
      const id = setTimer(run, delay_ms);
      return () => void timers.delete(id);
    },
    /** The request layer and the fake database use the timers of the process. Returns what restores them. */
    replaceTimers(): () => void {
      const before = REPLACED.map((name) => [name, globalThis[name]]);
      Object.assign(globalThis, {
        setTimeout: setTimer,
        clearTimeout: (id: number) => void timers.delete(id),
        setImmediate: setTask,
      });
      return () => void Object.assign(globalThis, Object.fromEntries(before));
    },
  };
}

export type Moments = ReturnType<typeof createMoments>;
