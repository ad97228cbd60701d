import { expect, test } from 'vitest';
import { MAX_ATTEMPTS, retryDelayMs, shouldRetry } from './retry.ts';

const failed = { attempt: 1, is_repeatable: true };

test.each([200, 204, 304, 400, 401, 403, 404, 409, 422, 499, 600])('status %i is not retried', (status) => {
  expect(shouldRetry({ ...failed, status })).toBe(false);
});

test.each([0, 408, 425, 429, 500, 502, 503, 504, 599])('status %i is retried', (status) => {
  expect(shouldRetry({ ...failed, status })).toBe(true);
});

test('a write without a key is never sent twice', () => {
  for (const status of [0, 408, 425, 429, 503]) {
    expect(shouldRetry({ ...failed, status, is_repeatable: false })).toBe(false);
  }
});

test('there are at most three attempts', () => {
  expect(MAX_ATTEMPTS).toBe(3);
  expect([1, 2, 3, 4].map((attempt) => shouldRetry({ ...failed, attempt, status: 503 }))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('a server that wants us back much later is not asked again', () => {
  expect(shouldRetry({ ...failed, status: 429, retry_after_s: 30 })).toBe(true);
  expect(shouldRetry({ ...failed, status: 429, retry_after_s: 31 })).toBe(false);
});

test('the wait is 2 s, then 4 s, or as long as the server asks', () => {
  expect(retryDelayMs(1)).toBe(2000);
  expect(retryDelayMs(2)).toBe(4000);
  expect(retryDelayMs(1, 9)).toBe(9000);
  expect(retryDelayMs(2, 1)).toBe(4000);
  expect(retryDelayMs(1, -5)).toBe(2000);
  expect(retryDelayMs(1, Number.NaN)).toBe(2000);
});
