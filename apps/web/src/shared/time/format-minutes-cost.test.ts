import { afterEach, expect, test, vi } from 'vitest';
import { formatMinutes } from './format-minutes.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('a list of durations creates one format for each unit, however long it is', () => {
  const create = vi.spyOn(Intl, 'NumberFormat');
  const texts = [61, 62, 63].map((minutes) => formatMinutes(minutes, 'en-AU'));
  expect(texts).toEqual(['1 hr 1 min', '1 hr 2 min', '1 hr 3 min']);
  expect(create).toHaveBeenCalledTimes(2);
});
