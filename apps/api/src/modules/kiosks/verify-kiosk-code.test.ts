import { fromBase64Url } from '@sendlap/domain/bytes.ts';
import { encodeFriendCode, VENUE_TIME_STEP_MS } from '@sendlap/domain/qr-code.ts';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AppError } from '#api/platform/errors.ts';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';
import { revokeKiosks } from '#test/scenes/invites.ts';
import { type PairedKiosk, pairKiosk, venueCodeAt } from '#test/scenes/kiosk.ts';
import { verifyKioskCode } from './verify-kiosk-code.ts';

const HOUR_MS = 3_600_000;

let api: TestApp;
let center = '';
let other_center = '';
let kiosk: PairedKiosk;
let now_ms = 0;
beforeAll(async () => {
  const seed = async (database: TestApp['database']) => {
    center = await makeCenter(database);
    other_center = await makeCenter(database);
  };
  api = await buildTestApp({ seed });
  kiosk = await pairKiosk(api, center);
  now_ms = momentOf(kiosk);
});
afterAll(() => api.close());

/** A moment in the first day of its keys, independent of the clock: that day may be over once the keys exist. */
function momentOf({ keys }: PairedKiosk): number {
  return Date.parse(keys[0]?.valid_from ?? '') + HOUR_MS;
}

/** Returns the center's id, or the error code of the refusal. */
async function prove(code: string | Uint8Array, received_at_ms = now_ms): Promise<string> {
  const bytes = typeof code === 'string' ? (fromBase64Url(code) ?? new Uint8Array()) : code;
  return verifyKioskCode(api.database, api.secrets, bytes, new Date(received_at_ms)).then(
    (proven) => proven.sport_center_id,
    (error: AppError) => error.code,
  );
}

test('a code that is not a kiosk’s is refused', async () => {
  expect(await prove(new Uint8Array())).toBe('code_unreadable');
  expect(await prove(encodeFriendCode('ada'))).toBe('code_kind_unsupported');
});

test('a code of another center, of another day or by another key is refused as made up', async () => {
  const [today, tomorrow] = kiosk.keys;
  if (!today || !tomorrow) throw new Error('a kiosk has eight keys');
  expect(await prove(venueCodeAt(kiosk, now_ms, { sport_center_id: other_center }))).toBe('code_forged');
  expect(await prove(venueCodeAt(kiosk, now_ms, { key: tomorrow }))).toBe('code_forged');
  const guessed = { ...today, key: tomorrow.key };
  expect(await prove(venueCodeAt(kiosk, now_ms, { key: guessed }))).toBe('code_forged');
  const elsewhere = await pairKiosk(api, other_center);
  const borrowed = elsewhere.keys[0];
  if (!borrowed) throw new Error('a kiosk has eight keys');
  expect(await prove(venueCodeAt(kiosk, now_ms, { key: borrowed }))).toBe('code_forged');
});

test('a code with any bit changed is refused', async () => {
  const code = fromBase64Url(venueCodeAt(kiosk, now_ms)) ?? new Uint8Array();
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: code.length * 8 - 1 }), async (bit) => {
      const changed = Uint8Array.from(code);
      const at = Math.floor(bit / 8);
      changed[at] = (changed[at] ?? 0) ^ (1 << (bit % 8));
      expect(await prove(changed)).toMatch(/^(code_|device_unknown$)/);
    }),
    { numRuns: 200 },
  );
});

test('a code is good in its step, the one before and the one after, and a photograph of it later is late', async () => {
  const shown_ms = Math.floor(now_ms / VENUE_TIME_STEP_MS) * VENUE_TIME_STEP_MS;
  const code = venueCodeAt(kiosk, shown_ms);
  expect(await prove(code, shown_ms - VENUE_TIME_STEP_MS - 1)).toBe('venue_code_late');
  expect(await prove(code, shown_ms - VENUE_TIME_STEP_MS)).toBe(center);
  expect(await prove(code, shown_ms + 2 * VENUE_TIME_STEP_MS - 1)).toBe(center);
  expect(await prove(code, shown_ms + 2 * VENUE_TIME_STEP_MS)).toBe('venue_code_late');
  expect(await prove(code, shown_ms + 3_600_000)).toBe('venue_code_late');
});

test('the first and the last code of a day are good, each by the key of its day', async () => {
  for (const { valid_from, valid_until } of kiosk.keys) {
    const [first_ms, last_ms] = [Date.parse(valid_from), Date.parse(valid_until) - 1];
    expect(await prove(venueCodeAt(kiosk, first_ms), first_ms)).toBe(center);
    expect(await prove(venueCodeAt(kiosk, last_ms), last_ms)).toBe(center);
    // Received just after midnight.
    expect(await prove(venueCodeAt(kiosk, last_ms), last_ms + 1)).toBe(center);
  }
});

test('a revoked kiosk no longer proves anything', async () => {
  const revoked = await pairKiosk(api, other_center);
  const at_ms = momentOf(revoked);
  expect(await prove(venueCodeAt(revoked, at_ms), at_ms)).toBe(other_center);
  await revokeKiosks(api.database, other_center);
  expect(await prove(venueCodeAt(revoked, at_ms), at_ms)).toBe('device_unknown');
});
