import { useEffect, useState } from 'react';
import { useOnline } from '../device/online.ts';
import {
  type Answer,
  type AnswerState,
  chooseShown,
  hasFailed,
  isAwaited,
  outdatedAt,
  type Reach,
  type Shown,
} from './choose-shown.ts';
import type { Copy } from './copies.ts';

/** A server that has not answered for so long is slow. */
const SLOW_MS = 1_000;

/** How well the server can be reached, as far as a query shows it. */
export function useReach(query: AnswerState): Reach {
  const online = useOnline();
  const is_slow = useIsSlow(isAwaited(query));
  return { is_cut: !online || hasFailed(query), is_slow };
}

/** Returns when the data of a query was read, ms epoch, if it may be out of date; null: it is not. */
export function useOutdatedAt(query: AnswerState, fetched_at: number | null): number | null {
  return outdatedAt(fetched_at, useReach(query), Date.now());
}

/** Whether a wait has lasted for a second. */
export function useIsSlow(is_waiting: boolean): boolean {
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

/** The server's answer, or this device's copy until it comes, and its age if it may be out of date. */
export function useShown<Value>(query: Answer<Value>, copy: Copy<Value> | null | undefined): Shown<Value> {
  return chooseShown(query, copy, useReach(query), Date.now());
}
