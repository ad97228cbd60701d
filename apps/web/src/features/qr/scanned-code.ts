import { toBase64Url } from '@sendlap/domain/bytes.ts';
import { type ActivityCode, readCode, readQrUrl } from '@sendlap/domain/qr-code.ts';
import type { ClockReading } from '#web/shared/api/server-clock.ts';

/** The moment of a scan, as the server wants to hear it. */
export interface ScanMoment {
  /** ms epoch by this device, not corrected. */
  now_ms: number;
  clock: ClockReading;
  /** Whether the browser knew of a network just then. */
  online: boolean;
}

/** An activity code in the referee's hand. */
export interface ScannedCode {
  /** base64url of the sealed code. */
  payload: string;
  code: ActivityCode;
  scanned: ScanMoment;
}

/** What a camera, a link or the server's answer to typed digits held. */
export type ReadScan =
  | { ok: true; scanned_code: ScannedCode }
  | { ok: false; code: 'code_unreadable' | 'code_kind_unsupported' };

/** Reads the text of any QR. Codes of friends, kiosks and invites are ours, but not for this screen. */
export function readScan(text: string, scanned: ScanMoment): ReadScan {
  const bytes = readQrUrl(text);
  const read = bytes && readCode(bytes);
  if (!bytes || !read) return { ok: false, code: 'code_unreadable' };
  if (read.kind !== 'activity') return { ok: false, code: 'code_kind_unsupported' };
  return { ok: true, scanned_code: { payload: toBase64Url(bytes), code: read.code, scanned } };
}
