import { useEffect, useState } from 'react';
import { serverClock } from '#web/shared/api/client.ts';

const SECOND_MS = 1_000;

/** Server time as well as this device knows it, ms epoch, read anew every second. */
export function useSecond(): number {
  const [now, setNow] = useState(serverClock.correctedNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverClock.correctedNow()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
