import { DAY_MS } from '@sendlap/domain/durations.ts';

/** A session that is unused for this long is over. */
export const IDLE_END_MS = 30 * DAY_MS;
/** A session that began this long ago is over, however much it is used. */
const ABSOLUTE_END_MS = 90 * DAY_MS;

/** Returns the expiry of a session that is used now. */
export function sessionExpiry(created_at: Date, now_ms: number): Date {
  return new Date(Math.min(created_at.getTime() + ABSOLUTE_END_MS, now_ms + IDLE_END_MS));
}
