import { expect, test } from 'vitest';
import { ApiError } from './errors.ts';
import { fetchedAtIfStale } from './fetched-at-if-stale.ts';

const READ_AT = 1_000;
const FRESH = { cached_at: null };
const fine = { isError: false, error: null, dataUpdatedAt: READ_AT };

test('a page that was read before the network went is as old as its reading, also before a new one fails', () => {
  expect(fetchedAtIfStale(FRESH, false, fine)).toBe(READ_AT);
  expect(
    fetchedAtIfStale(FRESH, true, {
      ...fine,
      isError: true,
      error: new ApiError({ code: 'NETWORK_ERROR', status: 0 }),
    }),
  ).toBe(READ_AT);
});

test('a copy is as old as it says, and a page of this minute has no age', () => {
  expect(fetchedAtIfStale({ cached_at: 7 }, true, fine)).toBe(7);
  expect(fetchedAtIfStale(FRESH, true, fine)).toBeNull();
  expect(fetchedAtIfStale(null, false, fine)).toBeNull();
});
