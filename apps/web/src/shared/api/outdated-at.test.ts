import { expect, test } from 'vitest';
import { ApiError } from './errors.ts';
import { outdatedAt } from './outdated-at.ts';

const READ_AT = 1_000;
const FRESH = { cached_at: null };
const fine = { isError: false, error: null, dataUpdatedAt: READ_AT };

test('a page that was read before the network went is as old as its reading, also before a new one fails', () => {
  expect(outdatedAt(FRESH, false, fine)).toBe(READ_AT);
  expect(
    outdatedAt(FRESH, true, { ...fine, isError: true, error: new ApiError({ code: 'NETWORK_ERROR', status: 0 }) }),
  ).toBe(READ_AT);
});

test('a copy is as old as it says, and a page of this minute has no age', () => {
  expect(outdatedAt({ cached_at: 7 }, true, fine)).toBe(7);
  expect(outdatedAt(FRESH, true, fine)).toBeNull();
  expect(outdatedAt(null, false, fine)).toBeNull();
});
