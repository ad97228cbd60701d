import { DAY_MS } from '@sendlap/domain/durations.ts';

/** Returns the number of local midnights between a moment and now: 0 today, 1 yesterday, whatever daylight saving does. */
export function daysAgo(then_ms: number, now_ms: number): number {
  const midnight = (ms: number) => {
    const date = new Date(ms);
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  };
  return (midnight(now_ms) - midnight(then_ms)) / DAY_MS;
}
