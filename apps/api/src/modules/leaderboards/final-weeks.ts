import { DAY_MS } from '@sendlap/domain/durations.ts';

/** The last zone on earth ends its Sunday 12 h after UTC, and late proofs are accepted for another 15 days. */
const PROVISIONAL_MS = 15.5 * DAY_MS;

/** Whether the boards of a period that ended on this local date (a Sunday) are final. */
export function isFinal(ends_on: string, now_ms: number): boolean {
  return now_ms >= Date.parse(`${ends_on}T00:00:00Z`) + DAY_MS + PROVISIONAL_MS;
}
