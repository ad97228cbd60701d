import { createHmac } from 'node:crypto';
import { toBase64Url } from '@sendlap/domain/bytes.ts';
import { decodeCode, parseQrUrl } from '@sendlap/domain/qr-code.ts';
import { expect, test } from 'vitest';
import { codesValidUntil, createVenueCode, importDayKeys, keyAt } from './venue-code.ts';

const CENTER = '44444444-4444-4444-8444-444444444444';
const MONDAY = Date.parse('2026-11-16T00:00:00Z');
const DAY_MS = 86_400_000;
const secretOf = (day: number) => Uint8Array.from({ length: 32 }, (_, index) => index * 7 + day);

/** Two consecutive days, as the server sends them. */
const wire = [0, 1].map((day) => ({
  key_id: `0000000${day}-0000-4000-8000-000000000000`,
  key: toBase64Url(secretOf(day)),
  valid_from: new Date(MONDAY + day * DAY_MS).toISOString(),
  valid_until: new Date(MONDAY + (day + 1) * DAY_MS).toISOString(),
}));

test.each(['', 'AAAA', '###', toBase64Url(new Uint8Array(33))])('%j is no key', async (key) => {
  await expect(importDayKeys([{ ...wire[0], key } as never])).rejects.toThrow(RangeError);
});

test('before the first day, after the last one and without keys there is no key', async () => {
  const keys = await importDayKeys(wire);
  expect(keyAt(keys, MONDAY - 1)).toBeNull();
  expect(keyAt(keys, MONDAY + 2 * DAY_MS)).toBeNull();
  expect(keyAt([], MONDAY)).toBeNull();
  expect(codesValidUntil([])).toBeNull();
});

test('each moment has the key of its day, and no script can read its bytes', async () => {
  const keys = await importDayKeys(wire);
  expect(keyAt(keys, MONDAY)?.key_id).toBe(wire[0]?.key_id);
  expect(keyAt(keys, MONDAY + DAY_MS - 1)?.key_id).toBe(wire[0]?.key_id);
  expect(keyAt(keys, MONDAY + DAY_MS)?.key_id).toBe(wire[1]?.key_id);
  expect(codesValidUntil(keys)).toBe(MONDAY + 2 * DAY_MS);
  for (const { key } of keys) await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow();
});

test('the code says center, step and key, and its MAC is the HMAC of the day’s key over all of it', async () => {
  const [key] = await importDayKeys(wire);
  if (!key) throw new Error('no key');
  const code = await createVenueCode(CENTER, key, MONDAY + 44_999, 'https://sendlap.test');
  expect(code.time_step).toBe(Math.floor((MONDAY + 30_000) / 15_000));
  expect(code.url).toMatch(/^https:\/\/sendlap\.test\/qr\/scan#[\w-]+$/);
  const read = decodeCode(parseQrUrl(code.url) ?? new Uint8Array());
  if (read?.kind !== 'venue') throw new Error('no venue code');
  expect(read.code).toEqual({ sport_center_id: CENTER, step: code.time_step, key_id: wire[0]?.key_id });
  expect([...read.mac]).toEqual([...createHmac('sha256', secretOf(0)).update(read.body).digest().subarray(0, 16)]);
});
