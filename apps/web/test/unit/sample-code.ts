import { toBase64Url } from '@sendlap/domain/bytes.ts';
import { type ActivityCode, appendMac, encodeActivityCode } from '@sendlap/domain/qr-code.ts';
import type { ScanMoment, ScannedCode } from '#web/features/qr/scan/scanned-code.ts';

/** For tests: a 90 minute climb that ended one minute before step 59,840,000 began. */
export function sampleCode(changes: Partial<ActivityCode> = {}): ActivityCode {
  return {
    activity_id: '33333333-3333-4333-8333-333333333333',
    public_id: 'ana.bp',
    display_name: 'Ana Belén',
    sport_center_id: '44444444-4444-4444-8444-444444444444',
    sport_type: 'climbing',
    started_at: 59_840_000 * 30_000 - 91 * 60_000,
    ended_at: 59_840_000 * 30_000 - 60_000,
    paused_s: 0,
    intensity: 'moderate',
    distance_m: null,
    step: 59_840_000,
    key_id: '22222222-2222-4222-8222-222222222222',
    ...changes,
  };
}

/** For tests: with an all-zero MAC, which only a server would detect. */
export function samplePayload(changes: Partial<ActivityCode> = {}): string {
  return toBase64Url(appendMac(encodeActivityCode(sampleCode(changes)), new Uint8Array(16)));
}

export function sampleUrl(changes: Partial<ActivityCode> = {}): string {
  return `https://sendlap.test/qr/scan#${samplePayload(changes)}`;
}

/** For tests: scanned two seconds into its step, online, by a phone whose clock is right. */
export function sampleScan(changes: Partial<ActivityCode> = {}, scanned: Partial<ScanMoment> = {}): ScannedCode {
  const code = sampleCode(changes);
  const now_ms = 59_840_000 * 30_000 + 2_000;
  return {
    payload: samplePayload(changes),
    code,
    scanned: { now_ms, clock: { offset_ms: 0, age_ms: 100, jump_ms: 0 }, online: true, ...scanned },
  };
}
