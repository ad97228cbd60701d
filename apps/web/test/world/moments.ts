import type { Random } from './random.ts';

/** A virtual clock with its timers. Time passes only in `pass`. */
export function createMoments(random: Random) {
  let now = Date.UTC(2026, 10, 20, 10);
  let timers: { at: number; run: () => void }[] = [];

  function after(delay_ms: number, run: () => void): () => void {
    const timer = { at: now + delay_ms, run };
    timers.push(timer);
    return () => {
      timers = timers.filter((other) => other !== timer);
    };
  }

  async function pass(duration_ms: number): Promise<void> {
    const end = now + duration_ms;
    for (;;) {
      await settle();
      const next = timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
      if (!next) break;
      timers = timers.filter((timer) => timer !== next);
      now = Math.max(now, next.at);
      next.run();
    }
    now = end;
  }

  return {
    now: () => now,
    after,
    pass,
    wait: (limit: number) => new Promise<void>((done) => void after(random.below(limit), done)),
  };
}

export type Moments = ReturnType<typeof createMoments>;

/** The turns in which a transaction of the fake database ends. */
const TURNS = 24;

async function settle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await new Promise((done) => setImmediate(done));
}
