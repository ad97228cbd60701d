import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PATHS } from '../../apps/web/src/shared/paths.ts';
import type { PageLoads } from '../../e2e/measured/page-loads.ts';
import type { Visit } from '../../e2e/measured/visit.ts';
import { openFigureSheet } from './figures.ts';
import { printLoads, printTaps } from './page-figures.ts';

beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}));
afterEach(() => void vi.restoreAllMocks());

const MAP_SCREEN = PATHS.sportCenters;
const quick: Visit = {
  first_paint_ms: 100,
  lcp_ms: 120,
  blocking_ms: 10,
  blocking_wall_ms: 12,
  cls: 0,
  jump: '',
  list_ms: 300,
  map_ms: 400,
};
const profile = { own_ms: 3, map_ms: 6, browser_ms: 1, functions: [] };
const loads: PageLoads = {
  bare_cold: [quick],
  login: [quick],
  bare_return: [quick],
  screens: { [MAP_SCREEN]: [quick] },
  profiles: { [MAP_SCREEN]: profile },
  planted: { ...quick, blocking_ms: 400, cls: 0.4 },
};
const fast = { planted: [310], finish: [40], start: [60] };

/** Returns the goals that the loads reached or missed, by their names. */
function goalsOf(changes: Partial<PageLoads>): Record<string, string | undefined> {
  const sheet = openFigureSheet();
  printLoads(sheet, { ...loads, ...changes });
  return Object.fromEntries(sheet.figures.map(({ name, goal }) => [name, goal]));
}

test('Quick loads reach all goals; of the map screen only the share of own code counts', () => {
  expect(new Set(Object.values(goalsOf({})))).toEqual(new Set([undefined, 'reached']));
  const slow = goalsOf({ screens: { [MAP_SCREEN]: [{ ...quick, blocking_ms: 1_100 }] } });
  expect(slow[`${MAP_SCREEN}: blocking time of own code`]).toBe('missed');
});

test('A figure that no visit noted ends the program, and one that a single visit lacks is the median of the others', () => {
  const unseen = { ...quick, list_ms: null };
  const of = (visits: Visit[]) => goalsOf({ screens: { [MAP_SCREEN]: visits } });
  expect(() => of([unseen, unseen])).toThrow('list_ms was seen in none of 2 visits');
  expect(of([unseen, quick])[`${MAP_SCREEN}: list usable`]).toBe('reached');
  expect(() => goalsOf({ login: [] })).toThrow('lcp_ms was seen in none of 0 visits');
});

test('A map screen without visits or profile ends the program, and without shares all of its blocking time counts', () => {
  expect(() => goalsOf({ screens: {} })).toThrow(`${MAP_SCREEN} was not measured`);
  expect(() => goalsOf({ profiles: {} })).toThrow(`${MAP_SCREEN} was not measured`);
  const unknown = { ...profile, own_ms: 0, map_ms: 0, browser_ms: 0 };
  const screens = { [MAP_SCREEN]: [{ ...quick, blocking_ms: 301 }] };
  const goals = goalsOf({ screens, profiles: { [MAP_SCREEN]: unknown } });
  expect(goals[`${MAP_SCREEN}: blocking time of own code`]).toBe('missed');
});

test('The slowest tap has a goal, and a walk without taps ends the program', () => {
  const sheet = openFigureSheet();
  printTaps(sheet, fast);
  expect(sheet.figures.at(-1)).toMatchObject({ name: 'slowest tap of the main job (start)', goal: 'reached' });
  expect(() => printTaps(sheet, { planted: [310] })).toThrow('no tap was measured');
});
