const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** Returns the number of local midnights between a moment and now: 0 today, 1 yesterday. */
export function daysAgo(then_ms: number, now_ms: number): number {
  const midnight = (ms: number) => {
    const date = new Date(ms);
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  };
  return (midnight(now_ms) - midnight(then_ms)) / (24 * HOUR_MINUTES * MINUTE_MS);
}
