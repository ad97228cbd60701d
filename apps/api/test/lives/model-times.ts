const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** What speaks against a start: too long ago, or not yet. */
export function againstStart(started: number, now: number): string[] {
  if (started > now + 2 * MINUTE_MS) return ['activity_in_future'];
  return started < now - 14 * DAY_MS ? ['activity_too_old'] : [];
}

/** What speaks against an end. */
export function againstEnd(started: number, ended: number, now: number): string[] {
  const codes = ended > now + 2 * MINUTE_MS ? ['activity_in_future'] : [];
  return ended <= started || ended - started > DAY_MS ? [...codes, 'activity_duration_invalid'] : codes;
}
