import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type * as z from 'zod/mini';
import { isUnreachable } from '../api/errors.ts';
import { useOnline } from '../device/online.ts';
import { loadMetadata } from './metadata.ts';

/** A server that has not answered for so long is treated like no network. */
const SLOW_MS = 1_000;

/** This device's copy, saved by `saveMetadata` under `name`; null: none that has the shape of `Copy`. */
function copyQuery<Copy extends z.ZodMiniType>(name: string, user_id: string, Copy: Copy) {
  return queryOptions({
    queryKey: ['copy', name, user_id],
    async queryFn(): Promise<z.infer<Copy> | null> {
      const copy = Copy.safeParse(await loadMetadata(name, user_id));
      return copy.success ? copy.data : null;
    },
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** Returns this device's copy, read once; null without one, undefined while it is read. */
export function useCopy<Copy extends z.ZodMiniType>(
  name: string,
  user_id: string,
  Copy: Copy,
): z.infer<Copy> | null | undefined {
  return useQuery(copyQuery(name, user_id, Copy)).data;
}

type Answer = Pick<UseQueryResult, 'isPending' | 'isFetching' | 'isError' | 'error'>;

/**
 * Whether the data of a query may be out of date: there is no network, the server can't be reached, or it has not
 * answered for a second.
 */
export function useIsStale({ isPending, isFetching, isError, error }: Answer): boolean {
  const online = useOnline();
  const is_slow = useIsSlow(isPending || isFetching);
  return !online || is_slow || (isError && isUnreachable(error));
}

function useIsSlow(is_waiting: boolean): boolean {
  const [is_slow, setSlow] = useState(false);
  useEffect(() => {
    if (!is_waiting) return;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [is_waiting]);
  return is_slow;
}

interface Shown<Data> {
  /** The server's answer, or this device's copy until it comes; undefined without both. */
  data: Data | undefined;
  /** When it was fetched, ms epoch, if it may be out of date; null: it is not. */
  outdated_at: number | null;
}

type DatedAnswer<Data> = Answer & Pick<UseQueryResult<Data>, 'data' | 'dataUpdatedAt'>;

/** As `useShown`, for a list whose answers have no date. */
export function useShownList<Item>(
  query: Answer & Pick<UseQueryResult, 'dataUpdatedAt'>,
  items: Item[] | undefined,
  copy: { items: Item[]; cached_at: number } | null | undefined,
): Shown<Item[]> {
  const answer = items && { items, cached_at: null as number | null };
  const { data, outdated_at } = useShown({ ...query, data: answer }, copy);
  return { data: data?.items, outdated_at };
}

/** `cached_at` of an answer: null, or when the copy was saved that replaced it. */
export function useShown<Data extends { cached_at: number | null }>(
  query: DatedAnswer<Data>,
  copy: Data | null | undefined,
): Shown<Data> {
  // Each field is read on each render: a query only notifies about fields that were read.
  const { data: answer, dataUpdatedAt, isPending, isFetching, isError, error } = query;
  const is_stale = useIsStale({ isPending, isFetching, isError, error });
  // If the server itself refuses, this device's copy is not shown.
  const is_refused = isError && !isUnreachable(error);
  const data = answer ?? (is_refused ? undefined : (copy ?? undefined));
  const is_copy = answer !== undefined && answer.cached_at !== null;
  const fetched_at = data?.cached_at ?? dataUpdatedAt;
  return { data, outdated_at: data && (is_stale || is_copy) ? fetched_at : null };
}
