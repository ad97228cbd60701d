/**
 * A traveller's phone changes its zone while the app is open; reading the zone costs a slow phone milliseconds per
 * render.
 */
const MAX_AGE_MS = 60_000;

let cached_zone = '';
let read_at_ms = Number.NEGATIVE_INFINITY;

/** Returns this device's IANA zone, e.g. 'Europe/Madrid'; at most a minute old. */
export function deviceTimeZone(): string {
  const age_ms = Date.now() - read_at_ms;
  // A negative age: the clock was set back.
  if (age_ms >= MAX_AGE_MS || age_ms < 0) {
    cached_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    read_at_ms = Date.now();
  }
  return cached_zone;
}
