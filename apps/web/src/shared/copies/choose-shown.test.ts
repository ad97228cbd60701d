import { expect, test } from 'vitest';
import { ApiError } from '../api/errors.ts';
import { type Answer, chooseShown, hasFailed, isAwaited } from './choose-shown.ts';

const HOUR_MS = 3_600_000;
const REACHED = { is_cut: false, is_slow: false };
const CUT = { is_cut: true, is_slow: false };
const SLOW = { is_cut: false, is_slow: true };
const NOW = 100 * HOUR_MS;
const UNREACHABLE = new ApiError({ code: 'NETWORK_ERROR', status: 0 });
const OVERLOADED = new ApiError({ code: 'HTTP_ERROR', status: 503, is_from_our_server: true, retry_after_s: 2 });
const REFUSED = new ApiError({ code: 'HTTP_ERROR', status: 404, is_from_our_server: true });

const PENDING: Answer<string> = {
  data: undefined,
  dataUpdatedAt: 0,
  isPending: true,
  isFetching: true,
  isError: false,
  error: null,
  errorUpdatedAt: 0,
};
const ANSWERED: Answer<string> = {
  ...PENDING,
  data: 'answer',
  dataUpdatedAt: NOW - HOUR_MS,
  isPending: false,
  isFetching: false,
};
const failed = (error: ApiError) => ({
  isPending: false,
  isFetching: false,
  isError: true,
  error,
  errorUpdatedAt: NOW,
});
const copyOf = (hours: number) => ({ value: 'copy', cached_at: NOW - hours * HOUR_MS });
const NONE = { data: undefined, fetched_at: 0, outdated_at: null, is_copy: false };

test('a server that refuses is not contradicted by a copy', () => {
  expect(chooseShown({ ...PENDING, ...failed(REFUSED) }, copyOf(1), REACHED, NOW)).toEqual(NONE);
  expect(chooseShown({ ...PENDING, ...failed(REFUSED) }, copyOf(1), CUT, NOW)).toEqual(NONE);
});

test('without an answer and without a copy there is nothing, and no age', () => {
  for (const copy of [null, undefined]) expect(chooseShown(PENDING, copy, CUT, NOW)).toEqual(NONE);
});

test('a copy is shown while the answer is due, and has an age only if the server cannot be reached', () => {
  const shown = { data: 'copy', fetched_at: NOW - HOUR_MS, is_copy: true };
  expect(chooseShown(PENDING, copyOf(1), REACHED, NOW)).toEqual({ ...shown, outdated_at: null });
  const outdated = { ...shown, outdated_at: NOW - HOUR_MS };
  expect(chooseShown(PENDING, copyOf(1), CUT, NOW)).toEqual(outdated);
  for (const error of [UNREACHABLE, OVERLOADED]) {
    expect(hasFailed({ ...PENDING, ...failed(error) })).toBe(true);
    expect(chooseShown({ ...PENDING, ...failed(error) }, copyOf(1), CUT, NOW)).toEqual(outdated);
  }
});

test('while the server is only slow, data of the last minute is shown without an age, and older data with one', () => {
  const shown = (hours: number) => chooseShown(PENDING, copyOf(hours), SLOW, NOW);
  expect(shown(0)).toMatchObject({ data: 'copy', outdated_at: null });
  expect(shown(1 / 60)).toMatchObject({ data: 'copy', outdated_at: null });
  expect(shown(1)).toMatchObject({ data: 'copy', outdated_at: NOW - HOUR_MS });
  expect(shown(72)).toMatchObject({ data: 'copy', outdated_at: NOW - 72 * HOUR_MS });
  expect(chooseShown(PENDING, copyOf(0), CUT, NOW)).toMatchObject({ data: 'copy', outdated_at: NOW });
});

test('a copy past its 24 hours is shown only while the server cannot be reached', () => {
  expect(chooseShown(PENDING, copyOf(24), REACHED, NOW)).toEqual(NONE);
  expect(chooseShown(PENDING, copyOf(23.9), REACHED, NOW).data).toBe('copy');
  expect(chooseShown(PENDING, copyOf(72), CUT, NOW)).toMatchObject({
    data: 'copy',
    outdated_at: NOW - 72 * HOUR_MS,
  });
});

test('an answer wins over any copy, stays after a failure or a refusal, and has the age of its own', () => {
  for (const state of [{}, failed(UNREACHABLE), failed(REFUSED)]) {
    const query = { ...ANSWERED, ...state };
    const shown = { data: 'answer', fetched_at: NOW - HOUR_MS, is_copy: false };
    expect(chooseShown(query, copyOf(5), REACHED, NOW)).toEqual({ ...shown, outdated_at: null });
    expect(chooseShown(query, copyOf(5), CUT, NOW)).toEqual({
      ...shown,
      outdated_at: NOW - HOUR_MS,
    });
  }
});

test('a list that is continued is not awaited, and a repeated one is', () => {
  expect(isAwaited(PENDING)).toBe(true);
  expect(isAwaited(ANSWERED)).toBe(false);
  expect(isAwaited({ ...ANSWERED, isFetching: true })).toBe(true);
  expect(isAwaited({ ...ANSWERED, isFetching: true, isFetchingNextPage: true })).toBe(false);
});

test('an attempt has failed if the server could not be reached, also while the next one runs, not if it refused', () => {
  expect(hasFailed(PENDING)).toBe(false);
  expect(hasFailed({ ...ANSWERED, ...failed(UNREACHABLE) })).toBe(true);
  expect(hasFailed({ ...ANSWERED, ...failed(REFUSED) })).toBe(false);
  expect(hasFailed({ ...PENDING, errorUpdatedAt: NOW })).toBe(true);
  expect(hasFailed({ ...ANSWERED, errorUpdatedAt: NOW })).toBe(false);
});
