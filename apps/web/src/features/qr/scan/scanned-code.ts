import { toBase64Url } from '@sendlap/domain/bytes.ts';
import { type ActivityCode, decodeCode, parseQrUrl, type VenueCode } from '@sendlap/domain/qr-code.ts';
import type { ClockReading } from '#web/shared/api/server-clock.ts';

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
