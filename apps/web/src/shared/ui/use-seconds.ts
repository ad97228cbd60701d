import { serverClock } from '#web/shared/api/client.ts';
import { useNow } from './use-now.ts';

/** Often, though it changes only when a new second begins: the clock may be corrected at any time. */
const LOOK_EVERY_MS = 200;

/** Server time as well as this device knows it, ms epoch, in whole seconds; changes once a second. */
export function useSeconds(): number {
  return useNow(readSecond, LOOK_EVERY_MS);
}

function readSecond(): number {
  return Math.floor(serverClock.correctedNow() / 1000) * 1000;
}
