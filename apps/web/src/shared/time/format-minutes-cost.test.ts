import { afterEach, expect, test, vi } from 'vitest';
import { formatMinutes } from './format-minutes.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('a list of durations creates one format for each unit, however long it is', () => {
  const create = vi.spyOn(Intl, 'NumberFormat');
  // A language that no other test of this file has formatted.
  for (const minutes of [61, 62, 63]) formatMinutes(minutes, 'en-AU');
  expect(create).toHaveBeenCalledTimes(2);
});
