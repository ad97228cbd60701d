import { listDevices, registerDevice } from '@sendlap/contract/devices.ts';
import { encodeActivityCode, toDigits } from '@sendlap/domain/qr-code.ts';
import { screen, waitFor } from '@testing-library/dom';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { activityCodeOf } from '#web/features/qr/code/activity-code.ts';
import { whenDone } from '../device/when-done.ts';
import { activityOf } from '../models/activity-model.ts';
import { POOL } from '../models/pool.ts';
import { NORA } from '../people.ts';
import { openAppWithActivities } from '../scenes/activity-scene.ts';

const TIME_STEP_MS = 30_000;
const SWIM = activityOf(1, POOL);
const CODE = { en: /^QR code of your swimming/, es: /^Código QR de tu actividad/ };
const openCode = (language: 'en' | 'es') =>
  openAppWithActivities({ path: `/qr/generate?activity=${SWIM.client_id}`, first: [SWIM], language });
const findCode = (language: 'en' | 'es') => screen.findByRole('img', { name: CODE[language] });

const shownDigits = () => document.querySelector('[data-digits]')?.getAttribute('data-digits');

const refuseToSign = () => Promise.reject(new DOMException('The key was not read', 'OperationError'));
const signNever = () => new Promise<never>(() => {});

/** Until the returned function is called, no code can be signed on this device. */
function failSigning(fail: () => Promise<never> = refuseToSign): () => void {
  const sign = crypto.subtle.sign.bind(crypto.subtle);
  const spy = vi.spyOn(crypto.subtle, 'sign').mockImplementation((algorithm, key, data) => {
    // The session's requests are signed by another kind of key.
    if (key.algorithm.name === 'HMAC') return fail();
    return sign(algorithm, key, data);
  });
  onTestFinished(() => spy.mockRestore());
  return () => spy.mockRestore();
}

test.each([
  ['en', "The code can't be drawn"],
  ['es', 'No se puede dibujar el código'],
] as const)(
  'a code that could not be signed is back with the next one that can, without a tap, in %s',
  async (language, title) => {
    const phone = await openCode(language);
    await findCode(language);
    const endFailure = failSigning();
    await phone.passTime(TIME_STEP_MS);
    await screen.findByRole('heading', { name: title });
    expect(screen.queryByRole('img', { name: CODE[language] })).toBeNull();
    endFailure();
    await phone.passTime(TIME_STEP_MS);
    await findCode(language);
    expect(screen.queryByRole('heading', { name: title })).toBeNull();
  },
);

test('Retry after a code could not be signed shows no old code, and the new one once it can be signed', async () => {
  const phone = await openCode('en');
  await findCode('en');
  const old_digits = shownDigits();
  const endFailure = failSigning();
  await phone.passTime(TIME_STEP_MS);
  await phone.user.click(await screen.findByRole('button', { name: 'Retry' }));
  await runTurns();
  await screen.findByRole('heading', { name: "The code can't be drawn" });
  expect(screen.queryByRole('img', { name: CODE.en })).toBeNull();
  endFailure();
  await phone.user.click(screen.getByRole('button', { name: 'Retry' }));
  await findCode('en');
  expect(shownDigits()).not.toBe(old_digits);
});

test('a code is hidden once it is too old to count, while the next one is still being signed', async () => {
  const phone = await openCode('en');
  await findCode('en');
  const endFailure = failSigning(signNever);
  await phone.passTime(TIME_STEP_MS);
  await findCode('en');
  await phone.passTime(TIME_STEP_MS);
  await waitFor(() => expect(screen.queryByRole('img', { name: CODE.en })).toBeNull());
  endFailure();
  await phone.passTime(TIME_STEP_MS);
  await findCode('en');
});

test('after another tab has replaced the key, the next code names the key that signs it', async () => {
  const phone = await openCode('en');
  await findCode('en');
  const key_id = 'dddddddd-2222-4222-8222-222222222222';
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new Uint8Array(32), hmac, false, ['sign']);
  const database = await whenDone(indexedDB.open('sendlap-device'));
  await whenDone(database.transaction('keys', 'readwrite').objectStore('keys').put({ user_id: NORA.id, key_id, key }));
  database.close();
  await phone.passTime(TIME_STEP_MS);
  await waitFor(async () => {
    const code = encodeActivityCode(
      activityCodeOf({ ...SWIM, ended_at: String(SWIM.ended_at) }, NORA, key_id, Date.now()),
    );
    expect(shownDigits()).toBe(toDigits(new Uint8Array(await crypto.subtle.sign('HMAC', key, code))));
  });
});

describe('of a device whose key was revoked elsewhere', () => {
  test.each([
    ['en', 'Too many devices', 'My devices'],
    ['es', 'Demasiados dispositivos', 'Mis dispositivos'],
  ] as const)('my code is not shown while the server refuses a new key, in %s', async (language, title, devices) => {
    const phone = await openCode(language);
    await findCode(language);
    phone.server.on(listDevices, () => ({ items: [], next_cursor: null }));
    phone.server.refuse(registerDevice, 'device_limit_reached');
    await phone.reload();
    await screen.findByRole('heading', { name: title });
    expect(screen.getByRole('link', { name: devices }).getAttribute('href')).toBe('/profile/devices');
    expect(screen.queryByRole('img', { name: CODE[language] })).toBeNull();
    phone.server.heal(registerDevice);
    await phone.reload();
    await findCode(language);
  });

  test.each([
    ['tell whether it was', listDevices],
    ['make a new one', registerDevice],
  ] as const)('my code stays while the server cannot %s', async (_, endpoint) => {
    const phone = await openCode('en');
    await findCode('en');
    const asked = phone.server.asked(endpoint).length;
    phone.server.on(listDevices, () => ({ items: [], next_cursor: null }));
    phone.server.refuse(endpoint, 'unavailable');
    await phone.reload();
    await findCode('en');
    await vi.waitFor(() => expect(phone.server.asked(endpoint).length).toBeGreaterThan(asked));
    await runTurns();
    await findCode('en');
  });
});
