import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/** A clock (ms epoch) for times on the screen, by default read anew every minute, so that no age stands still. */
export function useNow(clock: () => number, every_ms = MINUTE_MS): number {
  const [now, setNow] = useState(clock);
  useEffect(() => {
    const tick = () => setNow(clock());
    const timer = setInterval(tick, every_ms);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [clock, every_ms]);
  return now;
}
