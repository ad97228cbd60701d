import {
  type ActivityCode,
  appendMac,
  encodeActivityCode,
  encodeFriendCode,
  encodeInviteCode,
  encodeVenueCode,
  qrUrl,
} from '@sendlap/domain/qr-code.ts';
import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { drawQr } from './qr-drawing.ts';

const ORIGIN = 'https://sendlap.example';
const mac = new Uint8Array(16).fill(0xa5);
const id = '33333333-3333-4333-8333-333333333333';

function activityCode(person: Pick<ActivityCode, 'public_id' | 'display_name'>, paused_s = 0) {
  const facts = { sport_type: 'climbing', intensity: 'moderate', distance_m: null, paused_s } as const;
  const times = { started_at: 1_795_000_000_000, ended_at: 1_795_005_400_000, step: 59_840_000 };
  return appendMac(
    encodeActivityCode({ ...person, ...facts, ...times, activity_id: id, sport_center_id: id, key_id: id }),
    mac,
  );
}

/** The versions listed in docs/decisions/014-judge-codes-by-corrected-clocks.md. */
test.each([
  ['activity, the longest', 9, 219, activityCode({ public_id: 'a'.repeat(30), display_name: 'n'.repeat(24) })],
  [
    'activity with a pause, the longest',
    9,
    224,
    activityCode({ public_id: 'a'.repeat(30), display_name: 'n'.repeat(24) }, 5400),
  ],
  ['activity, an ordinary', 8, 178, activityCode({ public_id: 'sl-a1b2c3d4e5', display_name: 'Ana Belén' })],
  ['venue', 5, 104, appendMac(encodeVenueCode({ sport_center_id: id, step: 119_680_000, key_id: id }), mac)],
  ['friend, the longest', 4, 76, encodeFriendCode('a'.repeat(30))],
  ['friend, an ordinary', 4, 54, encodeFriendCode('sl-a1b2c3d4e5')],
  ['invite', 3, 52, encodeInviteCode('abcd23efgh45')],
])(
  'the QR of one %s code is small enough to be read across a table: version %i for %i letters',
  (_, version, letters, bytes) => {
    const text = qrUrl(ORIGIN, bytes);
    expect(text).toHaveLength(letters);
    const drawn = drawQr(text);
    expect(drawn.version).toBe(version);
    expect(drawn.size).toBe(17 + 4 * version + 8);
  },
);

test('a text that no code holds is refused', () => {
  expect(() => drawQr('x'.repeat(3_000))).toThrow();
});

test('the path covers the dark modules and nothing else', () => {
  const text = 'https://sendlap.example/qr/scan#AQM';
  const { data } = encode(text, { ecc: 'L', boostEcc: true, border: 4, maskPattern: 0 });
  const covered = data.map((row) => row.map(() => false));
  for (const [, x, y, width] of drawQr(text).path.matchAll(/M(\d+) (\d+)h(\d+)v1H\1z/g)) {
    covered[Number(y)]?.fill(true, Number(x), Number(x) + Number(width));
  }
  expect(covered).toEqual(data);
});
