import { MINUTE_MS } from '@sendlap/domain/durations.ts';
import { useEffect, useState } from 'react';
import { serverClock } from '#web/shared/api/client.ts';

/**
 * A clock (ms epoch) that updates at every full interval. It reads the clock each time and never counts by itself, so
 * that it is right after a reload, a sleep or a throttled timer.
 */
export function useNow(clock: () => number, interval_ms = MINUTE_MS): number {
  const [now, setNow] = useState(clock);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(tick, interval_ms - (clock() % interval_ms));
    };
    const tick = () => {
      setNow(clock());
      wait();
    };
    wait();
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [clock, interval_ms]);
  return now;
}

/** Like `useNow`, by the server's clock. */
export function useServerNow(interval_ms?: number): number {
  return useNow(serverClock.correctedNow, interval_ms);
}

/** More often than once a second, because the clock may be corrected at any time. */
const POLL_INTERVAL_MS = 200;

/** Best estimate of the server's time, ms epoch, in whole seconds; changes once a second. */
export function useServerSeconds(): number {
  return useNow(readSecond, POLL_INTERVAL_MS);
}

function readSecond(): number {
  return Math.floor(serverClock.correctedNow() / 1000) * 1000;
}
