export interface BackOff {
  first_ms: number;
  max_ms: number;
}

/** Returns the pause after the nth failure in a row, ms: doubled each time, up to the maximum. */
export function backOffMs({ first_ms, max_ms }: BackOff, failures: number): number {
  return Math.min(max_ms, first_ms * 2 ** Math.max(0, failures - 1));
}

/** Half of a pause is random, so that clients do not all return at once. `random`: 0 ≤ x < 1. */
export function withJitter(pause_ms: number, random: number): number {
  return pause_ms * (0.5 + random / 2);
}
