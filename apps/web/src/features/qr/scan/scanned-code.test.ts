import { toBase64Url } from '@sendlap/domain/bytes.ts';
import { appendMac, encodeFriendCode, encodeInviteCode, encodeVenueCode } from '@sendlap/domain/qr-code.ts';
import { expect, test } from 'vitest';
import { sampleCode, samplePayload, sampleUrl } from '#test/unit/sample-code.ts';
import { identityOf, parseScan, venueSecondsLeft } from './scanned-code.ts';

const moment = { now_ms: 1_795_000_000_000, clock: { offset_ms: 0, age_ms: 0, jump_ms: 0 }, online: true };
const { sport_center_id, key_id } = sampleCode();
const venue_code = { sport_center_id, step: 1, key_id };
const venue = toBase64Url(appendMac(encodeVenueCode(venue_code), new Uint8Array(16)));

test.each(['', 'https://example.org/menu', 'WIFI:S:gym;T:WPA;P:secret;;', `${samplePayload().slice(0, -4)}`])(
  'a QR of another app is unknown: %s',
  (text) => {
    expect(parseScan(text, moment)).toEqual({ kind: 'unknown' });
  },
);

test('link and bare payload read as the same activity, with the moment of the scan', () => {
  const expected = { kind: 'activity', scan: { payload: samplePayload(), code: sampleCode(), scanned: moment } };
  expect(parseScan(sampleUrl(), moment)).toEqual(expected);
  expect(parseScan(samplePayload(), moment)).toEqual(expected);
});

test('codes of venues, friends and invites are each recognised as their kind', () => {
  expect(parseScan(venue, moment)).toEqual({
    kind: 'venue',
    venue: { payload: venue, code: venue_code, scanned: moment },
  });
  expect(parseScan(toBase64Url(encodeFriendCode('ana.bp')), moment)).toEqual({ kind: 'friend', public_id: 'ana.bp' });
  expect(parseScan(toBase64Url(encodeInviteCode('abcd-efgh-jkmn')), moment)).toEqual({
    kind: 'invite',
    secret: 'abcd-efgh-jkmn',
  });
});

test('two steps of one code are the same thing in front of the camera', () => {
  const identify = (text: string) => {
    const read = parseScan(text, moment);
    return read.kind === 'unknown' ? null : identityOf(read);
  };
  expect(identify(sampleUrl({ step: sampleCode().step + 1 }))).toBe(identify(sampleUrl()));
  const texts = [
    sampleUrl(),
    venue,
    toBase64Url(encodeFriendCode('ana.bp')),
    toBase64Url(encodeInviteCode('abcd-efgh')),
  ];
  expect(new Set(texts.map(identify)).size).toBe(texts.length);
});

const BEGIN_MS = 119_700_000 * 15_000;

test.each([
  [0, 30],
  [1, 29],
  [14_999, 15],
  [29_000, 1],
  [29_001, 0],
  [60_000, 0],
])('%i ms after its step began, a code of the venue counts for another %i s', (after_ms, seconds) => {
  expect(venueSecondsLeft(119_700_000, BEGIN_MS + after_ms)).toBe(seconds);
});
