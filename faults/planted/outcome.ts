import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Area, Fault } from './areas/fault.ts';

const LEAST_CAUGHT_PERCENT = 95;
const CAUGHT = join(import.meta.dirname, 'caught.json');
const LATEST = '.cache/reports/planted.json';

/** The first words of `caught_by` if the run failed without a failed test. */
export const OUTSIDE_OF_TESTS = 'outside of any';

/** The result of a planted fault. */
export interface Outcome {
  fault: Fault;
  area: string;
  /** The test that failed; null: the fault was missed. */
  caught_by: string | null;
  seconds: number;
}

/** Returns the names of faults that an earlier suite caught, so that they must be caught. */
export function readCaught(): string[] {
  return JSON.parse(readFileSync(CAUGHT, 'utf8')) as string[];
}

/** Saves the outcomes so far: by fault name, the test that caught it; null: it was missed. */
export function saveOutcomes(tree: string, outcomes: readonly Outcome[]): void {
  const known = Object.fromEntries(outcomes.map(({ fault, caught_by }) => [fault.name, caught_by]));
  const path = join(tree, LATEST);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(known, null, 2)}\n`);
}

/** Returns one line per area: how many of its faults were caught. */
export function describeAreas(areas: readonly Area[], outcomes: readonly Outcome[]): string[] {
  return areas.flatMap(({ area }) => {
    const mine = outcomes.filter((outcome) => outcome.area === area);
    if (mine.length === 0) return [];
    return [`   ${area.padEnd(16)} caught ${countCaught(mine)} of ${mine.length}`];
  });
}

export function countCaught(outcomes: readonly Outcome[]): number {
  return outcomes.filter(({ caught_by }) => caught_by !== null).length;
}

/** Counts faults that no test caught by name: the run hung, or broke outside of the tests. */
export function countOutsideOfTests(outcomes: readonly Outcome[]): number {
  return outcomes.filter(({ caught_by }) => caught_by?.startsWith(OUTSIDE_OF_TESTS)).length;
}

/** Returns the reasons why the tests catch too little; empty if they catch enough. `caught`: faults that they must catch. */
export function problemsOf(outcomes: readonly Outcome[], caught: readonly string[]): string[] {
  const percent = (100 * countCaught(outcomes)) / outcomes.length;
  const lost = outcomes.filter(({ fault, caught_by }) => caught_by === null && caught.includes(fault.name));
  return [
    ...lost.map(({ fault }) => `${fault.name} is missed, and an earlier suite caught it`),
    ...(percent < LEAST_CAUGHT_PERCENT
      ? [`${percent.toFixed(1)} % were caught, at least ${LEAST_CAUGHT_PERCENT} % are expected`]
      : []),
  ];
}
