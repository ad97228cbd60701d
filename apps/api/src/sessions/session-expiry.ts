const DAY_MS = 86_400_000;
/** A session that nobody uses for so long is over. */
export const IDLE_END_MS = 30 * DAY_MS;
/** So is one that began so long ago, however much it is used. */
const ABSOLUTE_END_MS = 90 * DAY_MS;

/** The end of a session that is used now. */
export function sessionExpiry(created_at: Date, now_ms: number): Date {
  return new Date(Math.min(created_at.getTime() + ABSOLUTE_END_MS, now_ms + IDLE_END_MS));
}
