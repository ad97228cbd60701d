import { useEffect, useState } from 'react';
import { serverClock } from '#web/shared/api/client.ts';

const LOOK_EVERY_MS = 200;

/** Server time as well as this device knows it, ms epoch, in whole seconds; changes once a second. */
export function useSeconds(): number {
  const [second, setSecond] = useState(readSecond);
  useEffect(() => {
    // Often, and changed only when a new second begins: the clock may be corrected at any time.
    const timer = setInterval(() => setSecond(readSecond()), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return second;
}

function readSecond(): number {
  return Math.floor(serverClock.correctedNow() / 1000) * 1000;
}
