const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Returns the reasons against a start: too long ago, or in the future. */
export function againstStart(started: number, now: number): string[] {
  if (started > now + 2 * MINUTE_MS) return ['activity_in_future'];
  return started < now - 14 * DAY_MS ? ['activity_too_old'] : [];
}

/** Returns the reasons against an end. */
export function againstEnd(started: number, ended: number, now: number): string[] {
  const codes = ended > now + 2 * MINUTE_MS ? ['activity_in_future'] : [];
  return ended <= started || ended - started > DAY_MS ? [...codes, 'activity_duration_invalid'] : codes;
}

/** The center whose kiosk showed the code, and the time step of the code. */
export interface SeenVenueCode {
  center: string;
  step: number;
}

/** Returns when the kiosk's code that came with an op counts as scanned, or why it does not. */
export function venueOf(
  codes: Map<string, SeenVenueCode>,
  payload: string | undefined,
  center: string,
  now: number,
): { at: number | null; note: string | null } {
  if (payload === undefined) return { at: null, note: null };
  const code = codes.get(payload);
  if (!code) throw new Error('the model was not told of this code');
  if (Math.abs(Math.floor(now / 15_000) - code.step) > 1) return { at: null, note: 'venue_code_late' };
  return code.center === center ? { at: now, note: null } : { at: null, note: 'venue_other_center' };
}
