import { useEffect, useRef } from 'react';
import type { StreamEvent } from './live.ts';
import { useLiveEvents } from './use-live-events.ts';

/** A competition confirms many activities at once; refetches happen at most this often. */
const REFETCH_EVERY_MS = 1_000;

/**
 * Refetches the data on screen when a relevant event arrives, and whenever the stream opens: not all events
 * during an outage are sent again, even if the stream resumes where it broke off.
 */
export function useLiveRefetch(isRelevant: (event: StreamEvent) => boolean, refetch: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const last_at = useRef(Number.NEGATIVE_INFINITY);
  useLiveEvents((event) => {
    if (!isRelevant(event) && event.type !== 'opened') return;
    if (timer.current !== null) return;
    const refetchNow = () => {
      timer.current = null;
      last_at.current = performance.now();
      refetch();
    };
    // The first refetch is immediate, so that a query that waits for the stream is not read twice; later ones are
    // batched.
    const wait_ms = last_at.current + REFETCH_EVERY_MS - performance.now();
    if (wait_ms <= 0) refetchNow();
    else timer.current = setTimeout(refetchNow, wait_ms);
  });
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
}
