import { describe, expect, test } from 'vitest';
import { type ActivityCode, appendMac, decodeCode, encodeActivityCode, MAC_BYTES } from './qr-code.ts';

const CODE: ActivityCode = {
  activity_id: '3f2b8c1e-9d4a-4e6f-8a7b-0c1d2e3f4a5b',
  public_id: 'ana_7',
  display_name: 'Ana',
  sport_center_id: 'c0ffee00-0000-5000-9000-000000000001',
  sport_type: 'swimming',
  started_at: Date.UTC(2026, 10, 21, 17),
  ended_at: Date.UTC(2026, 10, 21, 17, 45),
  paused_s: 0,
  intensity: null,
  distance_m: 2000,
  step: 59_851_350,
  key_id: 'c0ffee00-0000-4000-9000-000000000002',
};

describe('an impossible distance', () => {
  /** Distance, time step and key id are at the end of the body. */
  const withDistance = (distance_m: number): Uint8Array => {
    const body = encodeActivityCode(CODE);
    new DataView(body.buffer).setUint32(body.length - 24, distance_m);
    return appendMac(body, new Uint8Array(MAC_BYTES));
  };

  test('is not written', () => {
    expect(() => encodeActivityCode({ ...CODE, distance_m: 100_001 })).toThrow(RangeError);
    expect(() => encodeActivityCode({ ...CODE, sport_type: 'climbing', distance_m: 5 })).toThrow(RangeError);
  });

  test('is not read, even with a valid signature', () => {
    expect(decodeCode(withDistance(100_000))).toMatchObject({ code: { distance_m: 100_000 } });
    for (const distance_m of [100_001, 2_147_483_648, 3_000_000_000, 4_294_967_294]) {
      expect(decodeCode(withDistance(distance_m))).toBeNull();
    }
  });
});
