import { listDevices, registerDevice } from '@sendlap/contract/devices.ts';
import { screen } from '@testing-library/dom';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runTurns } from '#test/unit/run-turns.ts';
import { activityOf } from '../models/activity-model.ts';
import { POOL } from '../models/pool.ts';
import { openAppWithActivities } from '../scenes/activity-scene.ts';

const TIME_STEP_MS = 30_000;
const SWIM = activityOf(1, POOL);
const CODE = { en: /^QR code of your swimming/, es: /^Código QR de tu actividad/ };
const openCode = (language: 'en' | 'es') =>
  openAppWithActivities({ path: `/qr/generate?activity=${SWIM.client_id}`, first: [SWIM], language });
const findCode = (language: 'en' | 'es') => screen.findByRole('img', { name: CODE[language] });

/** Until the returned function is called, no code can be signed on this device. */
function failSigning(): () => void {
  const sign = crypto.subtle.sign.bind(crypto.subtle);
  const spy = vi.spyOn(crypto.subtle, 'sign').mockImplementation((algorithm, key, data) => {
    // The session's requests are signed by another kind of key.
    if (key.algorithm.name === 'HMAC')
      return Promise.reject(new DOMException('The key was not read', 'OperationError'));
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
