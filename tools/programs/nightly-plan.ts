/** Program to seconds. */
export type Seconds = Record<string, number>;

/** All programs, one after another, have to end before the next day's work: a test adds their seconds up. */
export const BUDGET_MINUTES = 360;

/**
 * Switches that run the whole of a program: an arm of two nodes, more kills, other requests each night, ten minutes of
 * load, the faults that only a browser shows. `offline` meets each trouble without `--long`, which takes three times as
 * long.
 */
export const FULL_SIZE_FLAGS: Record<string, string[]> = {
  'faults/chat': ['--long'],
  'faults/crash': ['--long'],
  'faults/fuzz': ['--seed', 'today'],
  'faults/overload': ['--long'],
  'faults/planted': ['--journeys'],
};

const SHORTEST_LIMIT_S = 900;
const LIMIT_FACTOR = 4;
const UNKNOWN_LIMIT_S = 3600;

/** A program that takes longer counts as hanging. */
export function limitOf(expected_s: number | undefined): number {
  return expected_s === undefined ? UNKNOWN_LIMIT_S : Math.max(SHORTEST_LIMIT_S, LIMIT_FACTOR * expected_s);
}

export function minutesOf(programs: readonly string[], seconds: Seconds): number {
  return programs.reduce((sum, program) => sum + (seconds[program] ?? 0), 0) / 60;
}
