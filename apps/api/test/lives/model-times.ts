const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Returns the reasons against a start: too long ago, or in the future. */
export function againstStart(started: number, now: number): string[] {
  if (started > now + 2 * MINUTE_MS) return ['activity_in_future'];
  return started < now - 14 * DAY_MS ? ['activity_too_old'] : [];
}

/** Returns the reasons against an end, and against the pauses before it. */
export function againstEnd(
  { started, ended, paused }: { started: number; ended: number; paused: number },
  now: number,
): string[] {
  const codes = ended > now + 2 * MINUTE_MS ? ['activity_in_future'] : [];
  if (ended <= started || ended - started > DAY_MS) codes.push('activity_duration_invalid');
  return [...codes, ...againstPause(started, ended, paused)];
}

/** Returns the reasons against a pause, in seconds. */
export function againstPause(started: number, ended: number, paused: number): string[] {
  return paused * 1000 > Math.max(0, ended - started) ? ['activity_pause_invalid'] : [];
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

/** Returns why two scans of a kiosk prove no time between them, or null. */
export function againstScans(
  { from, to }: { from: number; to: number },
  { started, ended }: { started: number; ended: number },
): string | null {
  if (to - from > DAY_MS) return 'venue_code_late';
  return ended <= started ? 'activity_duration_invalid' : null;
}
