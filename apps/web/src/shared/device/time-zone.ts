/**
 * A traveller's phone changes its zone while the app is open; reading the zone costs a slow phone milliseconds per
 * render.
 */
const ASK_EVERY_MS = 60_000;

let known = '';
let asked_at_ms = Number.NEGATIVE_INFINITY;

/** Returns this device's IANA zone, e.g. 'Europe/Madrid'; at most a minute old. */
export function deviceTimeZone(): string {
  const age_ms = Date.now() - asked_at_ms;
  // A negative age: the clock was set back.
  if (age_ms >= ASK_EVERY_MS || age_ms < 0) {
    known = Intl.DateTimeFormat().resolvedOptions().timeZone;
    asked_at_ms = Date.now();
  }
  return known;
}
