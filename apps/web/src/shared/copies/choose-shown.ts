import { isUnreachable } from '../api/errors.ts';
import { CACHE_LIFETIME_MS } from '../local-db/database.ts';
import type { Copy } from './copies.ts';

/** The part of a query's state that says whether its data may be out of date. */
export interface AnswerState {
  isPending: boolean;
  isFetching: boolean;
  /** Of a list in pages: it is only continued. */
  isFetchingNextPage?: boolean;
  isError: boolean;
  error: unknown;
  /** When the last attempt failed, ms epoch; 0: never. */
  errorUpdatedAt: number;
}

export interface Answer<Value> extends AnswerState {
  data: Value | undefined;
  /** When `data` was read, ms epoch. */
  dataUpdatedAt: number;
}

export interface Reach {
  /** There is no network, or the last attempt could not reach the server. */
  is_cut: boolean;
  /** An answer is late. */
  is_slow: boolean;
}

export interface Shown<Value> {
  /** The server's answer, or this device's copy until it comes; undefined without both. */
  data: Value | undefined;
  /** When `data` was read, ms epoch; 0 without data. */
  fetched_at: number;
  /** The same if it may be out of date; null: it is not. */
  outdated_at: number | null;
  is_copy: boolean;
}

/** Data of the last minute was just read. */
const FRESH_MS = 60_000;

/** Whether a copy is past its lifetime; both ms epoch. */
export function isExpired(cached_at: number, now: number): boolean {
  return now - cached_at >= CACHE_LIFETIME_MS;
}

/** Whether a copy may be shown: one past its lifetime only if the server can't be reached or is slow. Both ms epoch. */
export function isShowable(cached_at: number, { is_cut, is_slow }: Reach, now: number): boolean {
  return is_cut || is_slow || !isExpired(cached_at, now);
}

/**
 * Returns `fetched_at` if data of that time may be out of date, else null: a slow server does not age data that was
 * just read. Both ms epoch.
 */
export function outdatedAt(fetched_at: number | null, { is_cut, is_slow }: Reach, now: number): number | null {
  return is_cut || (is_slow && now - (fetched_at ?? 0) > FRESH_MS) ? fetched_at : null;
}

/** Whether an answer is due. */
export function isAwaited({ isPending, isFetching, isFetchingNextPage = false }: AnswerState): boolean {
  return isPending || (isFetching && !isFetchingNextPage);
}

/** Whether the last attempt could not reach the server. An attempt that is repeated has not succeeded yet. */
export function hasFailed({ isPending, isError, error, errorUpdatedAt }: AnswerState): boolean {
  return isError ? isUnreachable(error) : isPending && errorUpdatedAt > 0;
}

/**
 * Chooses between the server's answer and this device's copy. A copy past its lifetime is shown only if the server can't
 * be reached or is slow; if the server itself refuses, none is. `now`: ms epoch.
 */
export function chooseShown<Value>(
  { data, dataUpdatedAt, isError, error }: Answer<Value>,
  copy: Copy<Value> | null | undefined,
  reach: Reach,
  now: number,
): Shown<Value> {
  const dated = (value: Value, fetched_at: number, is_copy: boolean) => ({
    data: value,
    fetched_at,
    outdated_at: outdatedAt(fetched_at, reach, now),
    is_copy,
  });
  if (data !== undefined) return dated(data, dataUpdatedAt, false);
  const is_refused = isError && !isUnreachable(error);
  const is_usable = copy && !is_refused && isShowable(copy.cached_at, reach, now);
  return is_usable
    ? dated(copy.value, copy.cached_at, true)
    : { data: undefined, fetched_at: 0, outdated_at: null, is_copy: false };
}
