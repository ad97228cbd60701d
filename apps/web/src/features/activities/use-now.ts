import { useEffect, useState } from 'react';
import { serverClock } from '#web/shared/api/client.ts';

/**
 * The corrected wall clock, ms epoch, renewed with every full interval. Read from the clock each time and never
 * counted along, so that it is right after a reload, a sleep or a throttled timer.
 */
export function useNow(interval_ms: number): number {
  const [now, setNow] = useState(() => serverClock.correctedNow());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      const current = serverClock.correctedNow();
      setNow(current);
      clearTimeout(timer);
      timer = setTimeout(tick, interval_ms - (current % interval_ms));
    };
    tick();
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [interval_ms]);
  return now;
}
