import { createHmac } from 'node:crypto';
import { decodeCode, parseQrUrl, toDigits } from '@sendlap/domain/qr-code.ts';
import { expect, test } from 'vitest';
import {
  activityCodeOf,
  createSignedCode,
  type FinishedActivity,
  isTooLateToConfirm,
  type SignBody,
} from './activity-code.ts';

const athlete = { id: '11111111-1111-4111-8111-111111111111', name: 'Ana Belén Pérez-Iturriaga', public_id: 'ana.bp' };
const key_id = '22222222-2222-4222-8222-222222222222';
const activity: FinishedActivity = {
  client_id: '33333333-3333-4333-8333-333333333333',
  sport_center_id: '44444444-4444-4444-8444-444444444444',
  sport_center_name: 'Piscina Municipal',
  sport_type: 'swimming',
  started_at: '2026-11-21T10:00:00.900Z',
  ended_at: '2026-11-21T10:45:01.100Z',
  paused_s: 0,
  intensity: null,
  distance_m: 2000,
  status: 'finished',
  validation: 'none',
  points: 0,
  potential_points: 323,
  appealed_at: null,
  rejected_reason: null,
};
const now_ms = Date.parse('2026-11-21T10:46:00Z');
const hmac = (body: Uint8Array) => new Uint8Array(createHmac('sha256', 'secret').update(body).digest());
const sign: SignBody = async (body) => ({ mac16: hmac(body).slice(0, 16), mac32: hmac(body) });

test('an activity whose id is not a UUID v4 gets no code', async () => {
  const code = activityCodeOf({ ...activity, client_id: 'offline_1' }, athlete, key_id, now_ms);
  await expect(createSignedCode(code, 'https://sendlap.test', sign)).rejects.toThrow(RangeError);
});

test('the drawn link reads back as the activity, with whole seconds and a name of at most 24 bytes', async () => {
  const signed = await createSignedCode(
    activityCodeOf(activity, athlete, key_id, now_ms),
    'https://sendlap.test',
    sign,
  );
  expect(signed.url.startsWith('https://sendlap.test/qr/scan#')).toBe(true);
  const read = decodeCode(parseQrUrl(signed.url) ?? new Uint8Array());
  if (read?.kind !== 'activity') throw new Error('unreadable');
  expect(read.code).toEqual({
    activity_id: activity.client_id,
    public_id: 'ana.bp',
    display_name: 'Ana Belén Pérez-Iturri',
    sport_center_id: activity.sport_center_id,
    sport_type: 'swimming',
    started_at: Date.parse('2026-11-21T10:00:00Z'),
    ended_at: Date.parse('2026-11-21T10:45:01Z'),
    paused_s: 0,
    intensity: null,
    distance_m: 2000,
    step: now_ms / 30_000,
    key_id,
  });
  expect(read.mac).toEqual(hmac(read.body).slice(0, 16));
  expect(signed.digits).toBe(toDigits(hmac(read.body)));
});

test('half a minute later another code with other digits is drawn', async () => {
  const signedAt = (ms: number) =>
    createSignedCode(activityCodeOf(activity, athlete, key_id, ms), 'https://sendlap.test', sign);
  const [first, same, next] = await Promise.all([
    signedAt(now_ms),
    signedAt(now_ms + 29_999),
    signedAt(now_ms + 30_000),
  ]);
  expect(same).toEqual(first);
  expect(next.time_step).toBe(first.time_step + 1);
  expect(next.url).not.toBe(first.url);
  expect(next.digits).not.toBe(first.digits);
});

test('it can no longer be confirmed after twelve hours, from its end or from an appeal', () => {
  const closes_ms = Date.parse('2026-11-21T22:45:01.100Z');
  expect(isTooLateToConfirm(activity, closes_ms)).toBe(false);
  expect(isTooLateToConfirm(activity, closes_ms + 1)).toBe(true);
  const appealed = { ...activity, appealed_at: '2026-11-21T20:00:00Z' };
  expect(isTooLateToConfirm(appealed, closes_ms + 1)).toBe(false);
  expect(isTooLateToConfirm(appealed, Date.parse('2026-11-22T08:00:00.001Z'))).toBe(true);
});
