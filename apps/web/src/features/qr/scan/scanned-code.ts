import { toBase64Url } from '@sendlap/domain/bytes.ts';
import {
  type ActivityCode,
  decodeCode,
  parseQrUrl,
  VENUE_TIME_STEP_MS,
  type VenueCode,
} from '@sendlap/domain/qr-code.ts';
import type { ClockReading } from '#web/shared/api/server-clock.ts';

/** A kiosk's code is valid in its own time step and in the adjacent ones. */
const STEP_TOLERANCE = 1;

/** The moment of a scan, in the form the server expects. */
export interface ScanMoment {
  /** Device time, not corrected (ms epoch). */
  now_ms: number;
  clock: ClockReading;
  /** Whether the browser was online at that moment. */
  online: boolean;
}

interface Scanned<Code> {
  /** base64url of the code with its MAC. */
  payload: string;
  code: Code;
  scanned: ScanMoment;
}

/** An activity code scanned by a referee or a friend. */
export type ScannedCode = Scanned<ActivityCode>;

/** A kiosk's code scanned by the athlete. */
export type ScannedVenueCode = Scanned<VenueCode>;

/** The content of a code from a camera, a picture, a link or typed digits. */
export type ScanContent =
  | { kind: 'activity'; scan: ScannedCode }
  | { kind: 'venue'; venue: ScannedVenueCode }
  | { kind: 'friend'; public_id: string }
  | { kind: 'invite'; secret: string }
  /** Not one of our codes, or damaged. */
  | { kind: 'unknown' };

/** Reads the text of any QR. Never throws. */
export function parseScan(text: string, scanned: ScanMoment): ScanContent {
  const bytes = parseQrUrl(text);
  const parsed = bytes && decodeCode(bytes);
  if (!bytes || !parsed) return { kind: 'unknown' };
  if (parsed.kind === 'friend' || parsed.kind === 'invite') return parsed;
  const payload = toBase64Url(bytes);
  if (parsed.kind === 'venue') return { kind: 'venue', venue: { payload, code: parsed.code, scanned } };
  return { kind: 'activity', scan: { payload, code: parsed.code, scanned } };
}

/** The identity of a scanned code: the same for all its time steps. */
export function identityOf(content: Exclude<ScanContent, { kind: 'unknown' }>): string {
  switch (content.kind) {
    case 'activity':
      return content.scan.code.activity_id;
    case 'venue':
      return content.venue.code.sport_center_id;
    case 'friend':
      return content.public_id;
    case 'invite':
      return content.secret;
  }
}

/** Whole seconds for which the server still accepts a kiosk's code of this step; 0: too late. `now_ms`: server time. */
export function venueSecondsLeft(step: number, now_ms: number): number {
  const ends_ms = (step + 1 + STEP_TOLERANCE) * VENUE_TIME_STEP_MS;
  return Math.max(0, Math.floor((ends_ms - now_ms) / 1000));
}
