import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/** A clock (ms epoch) for ages on the screen, read anew every minute, so that none of them stands still. */
export function useNow(clock: () => number): number {
  const [now, setNow] = useState(clock);
  useEffect(() => {
    const tick = () => setNow(clock());
    const timer = setInterval(tick, MINUTE_MS);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [clock]);
  return now;
}
