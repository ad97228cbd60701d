import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import {
  type ActivityCode,
  appendMac,
  decodeCode,
  encodeActivityCode,
  encodeFriendCode,
  encodeVenueCode,
  MAC_BYTES,
} from './qr-code.ts';

const CODE: ActivityCode = {
  activity_id: '3f2b8c1e-9d4a-4e6f-8a7b-0c1d2e3f4a5b',
  public_id: 'ana_7',
  display_name: 'Ana',
  sport_center_id: 'c0ffee00-0000-5000-9000-000000000001',
  sport_type: 'swimming',
  started_at: Date.UTC(2026, 10, 21, 17),
  ended_at: Date.UTC(2026, 10, 21, 17, 45),
  paused_s: 900,
  intensity: null,
  distance_m: 2000,
  step: 59_851_350,
  key_id: 'c0ffee00-0000-4000-9000-000000000002',
};
const MAC = new Uint8Array(MAC_BYTES).fill(0xa5);
const VENUE = { sport_center_id: CODE.sport_center_id, step: 7, key_id: CODE.key_id };

const sealed = (code: ActivityCode) => appendMac(encodeActivityCode(code), MAC);

/** Returns a copy with another version. */
function withVersion(bytes: Uint8Array, version: number): Uint8Array {
  const copy = bytes.slice();
  copy[0] = version;
  return copy;
}

describe('an impossible pause', () => {
  test.each([
    ['longer than the activity', 2701],
    ['negative', -1],
    ['no whole number', 0.5],
    ['no number', Number.NaN],
  ])('that is %s is not written', (_, paused_s) => {
    expect(() => encodeActivityCode({ ...CODE, paused_s })).toThrow(RangeError);
  });

  test.each([0, 2701, 0xffff_ffff])('of %i seconds in 45 minutes is not read', (paused_s) => {
    const body = encodeActivityCode({ ...CODE, paused_s: 2700 });
    new DataView(body.buffer).setUint32(body.length - 4, paused_s);
    expect(decodeCode(appendMac(body, MAC))).toBeNull();
  });

  test('a code with a pause cannot pass for one without', () => {
    const paused = sealed(CODE);
    expect(decodeCode(withVersion(paused, 1))).toBeNull();
    expect(decodeCode(Uint8Array.from([...paused.slice(0, -MAC_BYTES - 4), ...paused.slice(-MAC_BYTES)]))).toBeNull();
    expect(decodeCode(withVersion(appendMac(encodeVenueCode(VENUE), MAC), 2))).toBeNull();
    expect(decodeCode(withVersion(encodeFriendCode('ana_7'), 2))).toBeNull();
  });
});

test('a pause makes it version 2 and comes last; without one every reader knows the code', () => {
  const plain = Buffer.from(encodeActivityCode({ ...CODE, paused_s: 0 })).toString('hex');
  expect(Buffer.from(encodeActivityCode(CODE)).toString('hex')).toBe(`02${plain.slice(2)}00000384`);
  expect(decodeCode(sealed(CODE))).toMatchObject({ code: CODE });
});
