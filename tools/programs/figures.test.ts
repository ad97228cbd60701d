import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectedFigures, openFigureSheet } from './figures.ts';

beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test('A goal is reached at its very value, and missed beyond it', () => {
  const sheet = openFigureSheet();
  expect(sheet.goal('speed', 400, { at_least: 400 }, '/s')).toBe(true);
  expect(sheet.goal('  p99', 15.01, { at_most: 15 }, ' ms')).toBe(false);
  expect(sheet.figures).toEqual([
    { name: 'speed', text: '400/s (goal ≥ 400/s)', goal: 'reached' },
    { name: 'p99', text: '15.01 ms (goal ≤ 15 ms)', goal: 'missed' },
  ]);
});

test('A control arm that finds nothing ends the program, and stays among its figures', () => {
  const sheet = openFigureSheet();
  sheet.control('no reversal', true, 'found in 12 lives');
  expect(() => sheet.control('no locks', false, '0 logouts')).toThrow('"no locks" found nothing');
  expect(collectedFigures().map(({ control }) => control)).toEqual(['found', 'silent']);
});

test('A peer may be left out, unless the night requires it', () => {
  const sheet = openFigureSheet();
  sheet.skipPeer('PostGIS', 'not fetched here');
  expect(sheet.figures).toEqual([{ name: 'PostGIS', text: 'left out: not fetched here' }]);
  vi.stubEnv('BENCH_PEERS', 'required');
  expect(() => sheet.skipPeer('ejabberd', 'not fetched here')).toThrow('ejabberd: not fetched here');
});
