import { expect, test } from 'vitest';
import { isOffered, NOT_STARTED, parseProgress, TOUR_STEPS } from './tour-steps.ts';

const DAY_MS = 86_400_000;
const SINCE = Date.parse('2026-11-01T10:00:00Z');

test.each([
  undefined,
  null,
  'step',
  { step: 3 },
  { step: -1, is_over: false },
  { step: 8, is_over: false },
  { step: 1.5, is_over: false },
  { step: 2, is_over: 'no' },
])('%j on the device is no progress', (kept) => {
  expect(parseProgress(kept)).toEqual(NOT_STARTED);
});

test('a stored step is resumed', () => {
  expect(parseProgress({ step: 7, is_over: false })).toEqual({ step: 7, is_over: false });
});

test('the tour is offered to a new account for a week', () => {
  expect(isOffered(NOT_STARTED, SINCE, SINCE + 7 * DAY_MS - 1)).toBe(true);
  expect(isOffered(NOT_STARTED, SINCE, SINCE + 7 * DAY_MS)).toBe(false);
});

test('an athlete who left the tour is offered the rest of it, one who ended it nothing', () => {
  expect(isOffered({ step: 1, is_over: false }, SINCE, SINCE + 90 * DAY_MS)).toBe(true);
  expect(isOffered({ step: 0, is_over: true }, SINCE, SINCE)).toBe(false);
});

test('the tour has the eight steps of the specification', () => {
  expect(TOUR_STEPS.map(({ name }) => name)).toEqual([
    'welcome',
    'skillsRadar',
    'history',
    'sportCenters',
    'leaderboards',
    'chat',
    'profile',
    'final',
  ]);
});
