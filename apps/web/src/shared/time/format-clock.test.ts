import { expect, test } from 'vitest';
import { formatClock } from './format-clock.ts';

test('the time has the format of the language', () => {
  const evening = new Date(2026, 0, 1, 21, 5).getTime();
  expect([formatClock(evening, 'en-GB'), formatClock(evening, 'en-US')]).toEqual(['21:05', '9:05 PM']);
});
