import { toBase64Url } from '@sendlap/domain/bytes.ts';
import { encodeFriendCode, encodeVenueCode, sealCode } from '@sendlap/domain/qr-code.ts';
import { expect, test } from 'vitest';
import { sampleCode, samplePayload, sampleUrl } from './sample-code.ts';
import { readScan } from './scanned-code.ts';

const moment = { now_ms: 1_795_000_000_000, clock: { offset_ms: 0, age_ms: 0 }, online: true };

test.each(['', 'https://example.org/menu', 'WIFI:S:gym;T:WPA;P:secret;;', `${samplePayload().slice(0, -4)}`])(
  'a QR of somebody else is unreadable: %s',
  (text) => {
    expect(readScan(text, moment)).toEqual({ ok: false, code: 'code_unreadable' });
  },
);

test('codes of ours that show no activity are told apart', () => {
  const venue = sealCode(
    encodeVenueCode({ sport_center_id: sampleCode().sport_center_id, step: 1, key_id: sampleCode().key_id }),
    new Uint8Array(16),
  );
  for (const bytes of [encodeFriendCode('ana.bp'), venue]) {
    expect(readScan(toBase64Url(bytes), moment)).toEqual({ ok: false, code: 'code_kind_unsupported' });
  }
});

test('link and bare payload read as the same activity, with the moment of the scan', () => {
  const expected = { ok: true, scanned_code: { payload: samplePayload(), code: sampleCode(), scanned: moment } };
  expect(readScan(sampleUrl(), moment)).toEqual(expected);
  expect(readScan(samplePayload(), moment)).toEqual(expected);
});
