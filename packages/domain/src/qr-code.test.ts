import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toBase64Url, truncateUtf8 } from './bytes.ts';
import {
  ACTIVITY_TIME_STEP_MS,
  type ActivityCode,
  appendMac,
  decodeCode,
  encodeActivityCode,
  encodeFriendCode,
  encodeInviteCode,
  encodeVenueCode,
  MAC_BYTES,
  parseQrUrl,
  qrUrl,
  timeStepAt,
  toDigits,
  VENUE_TIME_STEP_MS,
  type VenueCode,
} from './qr-code.ts';
import { INTENSITIES } from './sports/sport-record.ts';
import { SPORTS } from './sports.ts';

const CODE: ActivityCode = {
  activity_id: '3f2b8c1e-9d4a-4e6f-8a7b-0c1d2e3f4a5b',
  public_id: 'ana_7',
  display_name: 'Ana',
  sport_center_id: 'c0ffee00-0000-5000-9000-000000000001',
  sport_type: 'swimming',
  started_at: Date.UTC(2026, 10, 21, 17),
  ended_at: Date.UTC(2026, 10, 21, 17, 45),
  paused_s: 0,
  intensity: 'hard',
  distance_m: 2000,
  step: 59_851_350,
  key_id: '11111111-2222-4333-8444-555555555555',
};
const MAC = Uint8Array.from({ length: MAC_BYTES }, (_, index) => 0xa0 + index);
const VENUE: VenueCode = { sport_center_id: CODE.sport_center_id, step: 7, key_id: CODE.key_id };

const v4 = fc.uuid({ version: 4 });
const second = fc.nat(4_000_000_000).map((value) => value * 1000);
const mac = fc.uint8Array({ minLength: MAC_BYTES, maxLength: MAC_BYTES });
const publicId = fc.string({ unit: fc.constantFrom(...'abcz019_.-'), minLength: 3, maxLength: 30 });
const secret = fc.string({ unit: fc.constantFrom(...'AZaz09-_'), minLength: 8, maxLength: 64 });
const anyActivity: fc.Arbitrary<ActivityCode> = fc.record({
  activity_id: v4,
  public_id: publicId,
  display_name: fc
    .string({ unit: 'grapheme', maxLength: 20 })
    .map((name) => truncateUtf8(name.replaceAll(/\p{Cc}/gu, '').trim(), 24).trim()),
  sport_center_id: fc.uuid(),
  sport_type: fc.constantFrom(...SPORTS),
  started_at: second,
  ended_at: second,
  paused_s: fc.constant(0),
  intensity: fc.constantFrom(null, ...INTENSITIES),
  distance_m: fc.option(fc.nat(100_000)),
  step: fc.nat(4_000_000_000),
  key_id: fc.uuid(),
});
/** Only swimming has a distance, and a pause is no longer than the activity. */
const activityCode = fc.tuple(anyActivity, fc.option(fc.nat(90_000), { nil: 0 })).map(([code, pause_s]) => ({
  ...code,
  distance_m: code.sport_type === 'swimming' ? code.distance_m : null,
  paused_s: Math.max(0, Math.min(pause_s, (code.ended_at - code.started_at) / 1000)),
}));
const sealedVenue = fc
  .tuple(fc.record({ sport_center_id: fc.uuid(), step: fc.nat(4_000_000_000), key_id: fc.uuid() }), mac)
  .map(([code, value]) => appendMac(encodeVenueCode(code), value));
const sealedActivity = fc.tuple(activityCode, mac).map(([code, value]) => appendMac(encodeActivityCode(code), value));
const anyCode = fc.oneof(sealedActivity, sealedVenue, publicId.map(encodeFriendCode), secret.map(encodeInviteCode));

const sealed = (code: ActivityCode) => appendMac(encodeActivityCode(code), MAC);

/** Returns a copy with one byte replaced. */
function withByte(bytes: Uint8Array, index: number, value: number): Uint8Array {
  const copy = bytes.slice();
  copy[index] = value;
  return copy;
}

describe('a refused code', () => {
  const whole = sealed(CODE);
  const PUBLIC_ID_LENGTH = 18;
  const NAME_LENGTH = PUBLIC_ID_LENGTH + 1 + CODE.public_id.length;
  const SPORT = NAME_LENGTH + 1 + CODE.display_name.length + 16;

  test.each([
    ['nothing', new Uint8Array()],
    ['another version', withByte(whole, 0, 2)],
    ['another kind', withByte(whole, 1, 5)],
    ['one byte too few', whole.slice(0, -1)],
    ['one byte too many', appendMac(whole, MAC)],
    ['a version 1 activity id', withByte(whole, 8, 0x1e)],
    ['a public id in upper case', withByte(whole, PUBLIC_ID_LENGTH + 1, 0x41)],
    ['a name that is no UTF-8', withByte(whole, NAME_LENGTH + 1, 0xff)],
    ['a control character in the name', withByte(whole, NAME_LENGTH + 1, 0x07)],
    ['an unknown sport', withByte(whole, SPORT, 3)],
    ['an unknown intensity', withByte(whole, SPORT + 9, 4)],
    ['a venue code without its MAC', encodeVenueCode(VENUE)],
    ['a friend code with something behind it', Uint8Array.from([...encodeFriendCode('ana_7'), 0])],
    ['an invite with a space in it', Uint8Array.from([1, 4, 8, ...Buffer.from('abc defg')])],
  ])('decodeCode refuses %s', (_, bytes) => {
    expect(decodeCode(bytes)).toBeNull();
  });

  test('decodeCode refuses a name of 25 bytes, by hand put in', () => {
    const at24 = encodeActivityCode({ ...CODE, display_name: 'a'.repeat(24) });
    const at25 = Uint8Array.from([...at24.slice(0, NAME_LENGTH), 25, 97, ...at24.slice(NAME_LENGTH + 1)]);
    expect(decodeCode(appendMac(at24, MAC))).not.toBeNull();
    expect(decodeCode(appendMac(at25, MAC))).toBeNull();
  });

  test.each([
    ['an activity id of another version', { activity_id: CODE.sport_center_id }],
    ['a bad public id', { public_id: 'Ana' }],
    ['a bad center id', { sport_center_id: 'x' }],
    ['a negative distance', { distance_m: -1 }],
    ['an endless distance', { distance_m: Number.POSITIVE_INFINITY }],
    ['a time before 1970', { started_at: -1 }],
    ['no time', { ended_at: Number.NaN }],
    ['half a step', { step: 0.5 }],
  ])('encodeActivityCode refuses %s', (_, fields) => {
    expect(() => encodeActivityCode({ ...CODE, ...fields })).toThrow(RangeError);
  });

  test('the other encoders refuse values that no reader would take', () => {
    expect(() => encodeFriendCode('Ana')).toThrow(RangeError);
    expect(() => encodeInviteCode('short')).toThrow(RangeError);
    expect(() => encodeInviteCode('a'.repeat(65))).toThrow(RangeError);
    expect(() => appendMac(new Uint8Array(3), new Uint8Array(32))).toThrow(RangeError);
  });

  test('random bytes never throw', () => {
    const likely = fc.tuple(fc.constantFrom(1, 2), fc.integer({ min: 0, max: 5 }), fc.uint8Array({ maxLength: 200 }));
    const random = likely.map(([version, kind, rest]) => Uint8Array.from([version, kind, ...rest]));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), random), (bytes) => {
        expect(() => decodeCode(bytes)).not.toThrow();
      }),
      { numRuns: 3000 },
    );
  });
});

describe('the wire', () => {
  test('it stays as printed codes have it, byte for byte', () => {
    expect(Buffer.from(sealed(CODE)).toString('hex')).toBe(
      [
        '01',
        '01',
        '3f2b8c1e9d4a4e6f8a7b0c1d2e3f4a5b',
        '05616e615f37',
        '03416e61',
        'c0ffee00000050009000000000000001',
        '02',
        '6b01ce10',
        '6b01d89c',
        '03',
        '000007d0',
        '03914256',
        '11111111222243338444555555555555',
        'a0a1a2a3a4a5a6a7a8a9aaabacadaeaf',
      ].join(''),
    );
    expect(Buffer.from(encodeVenueCode(VENUE)).toString('hex')).toBe(
      '0102c0ffee000000500090000000000000010000000711111111222243338444555555555555',
    );
    expect(Buffer.from(encodeFriendCode('ana_7')).toString('hex')).toBe('010305616e615f37');
    expect(Buffer.from(encodeInviteCode('abcd_EF9')).toString('hex')).toBe('010408616263645f454639');
  });

  test('an activity code is read back with the body that the MAC is over', () => {
    fc.assert(
      fc.property(activityCode, mac, (code, value) => {
        const body = encodeActivityCode(code);
        expect(decodeCode(appendMac(body, value))).toEqual({
          kind: 'activity',
          code,
          body,
          mac: new Uint8Array(value),
        });
      }),
    );
  });

  test('the key id is inside the body', () => {
    const other = { ...CODE, key_id: '99999999-2222-4333-8444-555555555555' };
    expect(encodeActivityCode(other)).not.toEqual(encodeActivityCode(CODE));
  });

  test('a venue code, a friend code and an invite are read back', () => {
    expect(decodeCode(appendMac(encodeVenueCode(VENUE), MAC))).toEqual({
      kind: 'venue',
      code: VENUE,
      body: encodeVenueCode(VENUE),
      mac: MAC,
    });
    fc.assert(
      fc.property(publicId, secret, (public_id, code) => {
        expect(decodeCode(encodeFriendCode(public_id))).toEqual({ kind: 'friend', public_id });
        expect(decodeCode(encodeInviteCode(code))).toEqual({ kind: 'invite', secret: code });
      }),
    );
  });

  test('any flipped bit changes the result, or is refused', () => {
    fc.assert(
      fc.property(anyCode, fc.nat(), fc.nat(7), (bytes, place, bit) => {
        const index = place % bytes.length;
        const flipped = decodeCode(withByte(bytes, index, (bytes[index] ?? 0) ^ (1 << bit)));
        expect(flipped).not.toEqual(decodeCode(bytes));
        if (flipped?.kind !== 'activity') return;
        // Every byte matters: a flip changes a field or the MAC.
        const before = decodeCode(bytes);
        const sameCode = before?.kind === 'activity' && JSON.stringify(before.code) === JSON.stringify(flipped.code);
        expect(sameCode).toBe(index >= bytes.length - MAC_BYTES);
      }),
      { numRuns: 3000 },
    );
  });

  test('parts of seconds and metres are dropped, ids come in lower case', () => {
    const fine = { ...CODE, started_at: CODE.started_at + 999, distance_m: 2000.9, key_id: CODE.key_id.toUpperCase() };
    expect(encodeActivityCode(fine)).toEqual(encodeActivityCode(CODE));
  });

  test('a long name is cut between code points, control characters are left out', () => {
    const read = decodeCode(sealed({ ...CODE, display_name: `Ma\u0000ría\n de los Ángeles Ñáñez 😀` }));
    expect(read).toMatchObject({ kind: 'activity', code: { display_name: 'María de los Ángeles' } });
  });

  test('a missing distance differs from a distance of 0', () => {
    for (const distance_m of [null, 0, 1]) {
      expect(decodeCode(sealed({ ...CODE, distance_m }))).toMatchObject({ code: { distance_m } });
    }
  });
});

test('a step is 30 s for an athlete and 15 s for a kiosk', () => {
  expect([ACTIVITY_TIME_STEP_MS, VENUE_TIME_STEP_MS]).toEqual([30_000, 15_000]);
  expect(timeStepAt(59_999, ACTIVITY_TIME_STEP_MS)).toBe(1);
  expect(timeStepAt(60_000, ACTIVITY_TIME_STEP_MS)).toBe(2);
});

describe('digits', () => {
  test('they are the whole HMAC modulo 10^8', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (value) => {
        const number = BigInt(`0x${Buffer.from(value).toString('hex')}`) % 100_000_000n;
        expect(toDigits(value)).toBe(number.toString().padStart(8, '0'));
      }),
    );
  });

  test('a small remainder keeps its zeros', () => {
    expect(toDigits(Uint8Array.of(...new Array(31).fill(0), 7))).toBe('00000007');
  });

  test('a real HMAC gives the same digits on every device', () => {
    const hmac = createHmac('sha256', 'key').update('The quick brown fox jumps over the lazy dog').digest();
    // f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8 mod 10^8
    expect(toDigits(hmac)).toBe('89893848');
  });
});

describe('links', () => {
  const bytes = sealed(CODE);
  const payload = toBase64Url(bytes);

  test.each([
    ['another path', `https://sendlap.test/qr/generate#${payload}`],
    ['a path around it', `https://sendlap.test/x/qr/scan#${payload}`],
    ['another scheme', `javascript://sendlap.test/qr/scan#${payload}`],
    ['the payload in the query', `https://sendlap.test/qr/scan?${payload}`],
    ['no payload', 'https://sendlap.test/qr/scan#'],
    ['an empty text', ''],
    ['padding', `${payload}=`],
    ['other words', 'WIFI:S:gym;T:WPA;P:secret;;'],
    ['an endless text', 'A'.repeat(4096)],
  ])('parseQrUrl refuses %s', (_, text) => {
    expect(parseQrUrl(text)).toBeNull();
  });

  test.each(['https://sendlap.test', 'http://localhost:8000', 'https://[::1]:8443'])(
    'a link of %s is read',
    (origin) => {
      expect(qrUrl(origin, bytes)).toBe(`${origin}/qr/scan#${payload}`);
      expect(parseQrUrl(qrUrl(origin, bytes))).toEqual(bytes);
    },
  );

  test('the bare payload is read, spaces around it too', () => {
    expect(parseQrUrl(`  ${payload}\n`)).toEqual(bytes);
  });
});
