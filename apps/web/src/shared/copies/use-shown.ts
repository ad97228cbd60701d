import { useEffect, useState } from 'react';
import { useOnline } from '../device/online.ts';
import { type Answer, type AnswerState, chooseShown, hasFailed, isAwaited, type Shown } from './choose-shown.ts';
import type { Copy } from './copies.ts';

/** A server that has not answered for so long is treated like no network. */
const SLOW_MS = 1_000;

/**
 * Whether the data of a query may be out of date: there is no network, the server can't be reached, or it has not
 * answered for a second.
 */
export function useIsStale(query: AnswerState): boolean {
  const online = useOnline();
  const is_slow = useIsSlow(isAwaited(query));
  return !online || is_slow || hasFailed(query);
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
  const is_stale = useIsStale(query);
  return chooseShown(query, copy, { is_stale, now: Date.now() });
}
