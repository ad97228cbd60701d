import { toBase64Url } from '@sendlap/domain/bytes.ts';
import { type ActivityCode, readCode, readQrUrl, type VenueCode } from '@sendlap/domain/qr-code.ts';
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
  /** base64url of the sealed code. */
  payload: string;
  code: Code;
  scanned: ScanMoment;
}

/** An activity code scanned by a referee or a friend. */
export type ScannedCode = Scanned<ActivityCode>;

/** A kiosk's code scanned by the athlete. */
export type ScannedVenue = Scanned<VenueCode>;

/** The content of a code from a camera, a picture, a link or typed digits. */
export type ReadScan =
  | { kind: 'activity'; scan: ScannedCode }
  | { kind: 'venue'; venue: ScannedVenue }
  | { kind: 'friend'; public_id: string }
  | { kind: 'invite'; secret: string }
  /** Not one of our codes, or damaged. */
  | { kind: 'unknown' };

/** Reads the text of any QR. Never throws. */
export function readScan(text: string, scanned: ScanMoment): ReadScan {
  const bytes = readQrUrl(text);
  const read = bytes && readCode(bytes);
  if (!bytes || !read) return { kind: 'unknown' };
  if (read.kind === 'friend' || read.kind === 'invite') return read;
  const payload = toBase64Url(bytes);
  if (read.kind === 'venue') return { kind: 'venue', venue: { payload, code: read.code, scanned } };
  return { kind: 'activity', scan: { payload, code: read.code, scanned } };
}

/** The identity of a scanned code: the same for all its time steps. */
export function identityOf(read: Exclude<ReadScan, { kind: 'unknown' }>): string {
  switch (read.kind) {
    case 'activity':
      return read.scan.code.activity_id;
    case 'venue':
      return read.venue.code.sport_center_id;
    case 'friend':
      return read.public_id;
    case 'invite':
      return read.secret;
  }
}
