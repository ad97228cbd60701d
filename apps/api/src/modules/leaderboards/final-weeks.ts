const DAY_MS = 86_400_000;
/** The last zone on earth ends its Sunday 12 h after UTC, and late proofs are accepted for 15 days after that. */
const PROVISIONAL_MS = 15.5 * DAY_MS;

/** True once nothing changes any more on boards of a time that ended with this local date (a Sunday). */
export function isFinal(ends_on: string, now_ms: number): boolean {
  return now_ms >= Date.parse(`${ends_on}T00:00:00Z`) + DAY_MS + PROVISIONAL_MS;
}
