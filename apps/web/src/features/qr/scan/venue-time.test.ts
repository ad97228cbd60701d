import { expect, test } from 'vitest';
import { venueSecondsLeft } from './venue-time.ts';

const BEGIN_MS = 119_700_000 * 15_000;

test.each([
  [0, 30],
  [1, 29],
  [14_999, 15],
  [29_000, 1],
  [29_001, 0],
  [60_000, 0],
])('%i ms after its step began, a code of the venue counts for another %i s', (after_ms, seconds) => {
  expect(venueSecondsLeft(119_700_000, BEGIN_MS + after_ms)).toBe(seconds);
});
