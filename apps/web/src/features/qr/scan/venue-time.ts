import { VENUE_TIME_STEP_MS } from '@sendlap/domain/qr-code.ts';

/** A kiosk's code is valid in its own time step and in the adjacent ones. */
const STEP_TOLERANCE = 1;

/** Whole seconds for which the server still accepts a kiosk's code of this step; 0: too late. `now_ms`: server time. */
export function venueSecondsLeft(step: number, now_ms: number): number {
  const ends_ms = (step + 1 + STEP_TOLERANCE) * VENUE_TIME_STEP_MS;
  return Math.max(0, Math.floor((ends_ms - now_ms) / 1000));
}
