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

export interface Shown<Value> {
  /** The server's answer, or this device's copy until it comes; undefined without both. */
  data: Value | undefined;
  /** When `data` was read, ms epoch; 0 without data. */
  fetched_at: number;
  /** The same if it may be out of date; null: it is not. */
  outdated_at: number | null;
  is_copy: boolean;
}

/** Whether a copy is past its lifetime; both ms epoch. */
export function isExpired(cached_at: number, now: number): boolean {
  return now - cached_at >= CACHE_LIFETIME_MS;
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
 * be reached; if the server itself refuses, none is. `now`: ms epoch.
 */
export function chooseShown<Value>(
  { data, dataUpdatedAt, isError, error }: Answer<Value>,
  copy: Copy<Value> | null | undefined,
  { is_stale, now }: { is_stale: boolean; now: number },
): Shown<Value> {
  const dated = (value: Value, fetched_at: number, is_copy: boolean) => ({
    data: value,
    fetched_at,
    outdated_at: is_stale ? fetched_at : null,
    is_copy,
  });
  if (data !== undefined) return dated(data, dataUpdatedAt, false);
  const is_refused = isError && !isUnreachable(error);
  const is_usable = copy && !is_refused && (is_stale || !isExpired(copy.cached_at, now));
  return is_usable
    ? dated(copy.value, copy.cached_at, true)
    : { data: undefined, fetched_at: 0, outdated_at: null, is_copy: false };
}
