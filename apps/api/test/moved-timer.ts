import type { Timer } from '#api/platform/timer.ts';

/** A timer whose time passes only by `advance`. */
export interface MovedTimer extends Timer {
  /** Advances the time at once, and runs the callbacks that fall due within it, in order. */
  advance(duration_ms: number): void;
}

export function createMovedTimer(): MovedTimer {
  let now_ms = 0;
  const waiting = new Set<{ due_ms: number; run: () => void }>();
  const nextDue = (until_ms: number) =>
    [...waiting].filter(({ due_ms }) => due_ms <= until_ms).toSorted((one, other) => one.due_ms - other.due_ms)[0];
  return {
    now: () => now_ms,
    after(delay_ms, run) {
      const entry = { due_ms: now_ms + delay_ms, run };
      waiting.add(entry);
      return () => void waiting.delete(entry);
    },
    advance(duration_ms) {
      const until_ms = now_ms + duration_ms;
      for (let entry = nextDue(until_ms); entry; entry = nextDue(until_ms)) {
        waiting.delete(entry);
        now_ms = Math.max(now_ms, entry.due_ms);
        entry.run();
      }
      now_ms = until_ms;
    },
  };
}
