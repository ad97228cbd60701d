import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BUDGET_MINUTES, FULL_SIZE_FLAGS, limitOf, minutesOf, type Seconds } from './nightly-plan.ts';
import { toPrograms } from './nightly-table.ts';
import { listPrograms } from './programs.ts';

const seconds = JSON.parse(readFileSync(new URL('../nightly-seconds.json', import.meta.url), 'utf8')) as Seconds;
const PROGRAMS = toPrograms(listPrograms);

test('Each program has its seconds, and no other', () => {
  expect(Object.keys(seconds).toSorted()).toEqual(PROGRAMS.toSorted());
});

test('All programs together fit into a night', () => {
  expect(minutesOf(PROGRAMS, seconds)).toBeLessThanOrEqual(BUDGET_MINUTES);
});

test('The switches of a full size are of programs that exist', () => {
  expect(PROGRAMS).toEqual(expect.arrayContaining(Object.keys(FULL_SIZE_FLAGS)));
});

test('A night loads the server for ten minutes', () => {
  expect(FULL_SIZE_FLAGS['faults/overload']).toEqual(['--long']);
});

test('A program counts as hanging after four times its seconds, and never before a quarter of an hour', () => {
  expect([undefined, 10, 300].map(limitOf)).toEqual([3600, 900, 1200]);
});

test('Worlds that reach their goal of speed do not count as hanging', () => {
  const slowest_s = 50_000 / (1_000 / 60);
  expect(limitOf(seconds['faults/world'])).toBeGreaterThan(slowest_s);
});
