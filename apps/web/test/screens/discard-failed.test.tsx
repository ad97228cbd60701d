import { syncActivities } from '@sendlap/contract/activities.ts';
import { logout } from '@sendlap/contract/auth.ts';
import { endAllSessions } from '@sendlap/contract/users.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, test, vi } from 'vitest';
import { savePreferredLanguage } from '#web/shared/i18n/language.ts';
import { readStores } from '../device/browser-stores.ts';
import { failWrites } from '../device/failed-writes.ts';
import { EVE, NORA } from '../people.ts';
import { startSwimming } from '../scenes/activity-scene.ts';
import { findSheet } from '../scenes/profile-screen.ts';
import { countSealed, damageSealed, openWithSealingKey, signInAs, signOutUnsent } from '../scenes/sealed-work.ts';

const OUTBOX = 'sendlap-outbox';
const alerts = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent);

/** Returns the number of ops on this device that are not sealed. */
const countOps = async () =>
  (await readStores()).filter(({ place }) => place === 'database sendlap-outbox, store ops').length;

const WORDS = [
  [
    'en',
    {
      failed: /^Nothing was discarded\. Close other tabs/,
      sign_out: 'Sign out',
      sign_in: 'Sign in',
      everywhere: 'Sign out everywhere',
      everywhere_title: 'Sign out everywhere?',
      discard_all: 'Discard and sign out',
      unsent: '1 thing is not sent yet',
      discard: 'Discard',
      discard_foreign: 'Discard for good',
      damaged: /^1 damaged/,
      list: 'On this device',
      waiting: /^Waiting on this device: 1 activity/,
    },
  ],
  [
    'es',
    {
      failed: /^No se ha descartado nada\. Cierra otras pestañas/,
      sign_out: 'Cerrar sesión',
      sign_in: 'Iniciar sesión',
      everywhere: 'Cerrar sesión en todas partes',
      everywhere_title: '¿Cerrar sesión en todas partes?',
      discard_all: 'Descartar y cerrar sesión',
      unsent: 'Queda 1 cosa por enviar',
      discard: 'Descartar',
      discard_foreign: 'Descartar del todo',
      damaged: /^1 dañado/,
      list: 'En este dispositivo',
      waiting: /^Pendiente de enviar en este dispositivo: 1 actividad/,
    },
  ],
] as const;

/** Opens the confirmation of "Sign out everywhere" on a device with one unsent op. */
async function openSignOutEverywhere(language: 'en' | 'es', words: (typeof WORDS)[number][1]) {
  const phone = await openWithSealingKey();
  phone.server.on(endAllSessions, () => ({}));
  phone.setOnline(false);
  await startSwimming(phone);
  await screen.findByRole('timer');
  savePreferredLanguage(language);
  await phone.reload('/profile/devices');
  phone.server.refuse(syncActivities, 'unauthenticated');
  const { arrived } = phone.server.hold(syncActivities);
  phone.setOnline(true);
  await arrived;
  await phone.user.click(await screen.findByRole('button', { name: words.everywhere }));
  const discardAll = async () => {
    const sheet = within(await findSheet(words.everywhere_title));
    await phone.user.click(await sheet.findByRole('button', { name: words.discard_all }));
  };
  return { phone, discardAll };
}

describe.each(WORDS)('on a device that cannot delete, in %s', (language, words) => {
  test('"discard and sign out" says so and keeps the session, and works once the device can', async () => {
    const phone = await openWithSealingKey();
    phone.setOnline(false);
    await startSwimming(phone);
    await screen.findByRole('timer');
    savePreferredLanguage(language);
    await phone.reload('/profile');
    await phone.user.click(await screen.findByRole('button', { name: words.sign_out }));
    const sheet = within(await findSheet(words.unsent));
    const endFailure = failWrites(OUTBOX);
    await phone.user.click(sheet.getByRole('button', { name: words.discard_all }));
    expect((await sheet.findByRole('alert')).textContent).toMatch(words.failed);
    expect(window.location.pathname).toBe('/profile');
    endFailure();
    await phone.user.click(sheet.getByRole('button', { name: words.discard_all }));
    await screen.findByRole('button', { name: words.sign_in });
    phone.setOnline(true);
    await vi.waitFor(() => expect(phone.server.asked(logout)).toHaveLength(1));
    expect(await countSealed()).toBe(0);
  });

  test('"discard and sign out" everywhere signs out all the same, and the sign-in page says what waits', async () => {
    const { phone, discardAll } = await openSignOutEverywhere(language, words);
    failWrites(OUTBOX);
    await discardAll();
    await screen.findByRole('button', { name: words.sign_in });
    await screen.findByText(words.waiting);
    expect(phone.server.asked(endAllSessions)).toHaveLength(1);
    expect([await countOps(), await countSealed()]).toEqual([1, 0]);
  });

  test('work of another account stays, and the card says so', async () => {
    const phone = await openWithSealingKey();
    await signOutUnsent(phone);
    await signInAs(phone, EVE);
    savePreferredLanguage(language);
    await phone.reload('/profile/account');
    const discard = await screen.findByRole('button', { name: words.discard });
    const endFailure = failWrites(OUTBOX);
    await phone.user.click(discard);
    await phone.user.click(await screen.findByRole('button', { name: words.discard_foreign }));
    await waitFor(() => expect(alerts()).toContainEqual(expect.stringMatching(words.failed)));
    expect(await countSealed()).toBe(1);
    endFailure();
    await phone.user.click(discard);
    await phone.user.click(await screen.findByRole('button', { name: words.discard_foreign }));
    await vi.waitFor(async () => expect(await countSealed()).toBe(0));
  });

  test('damaged work stays in the list, which says so', async () => {
    const phone = await openWithSealingKey();
    await signOutUnsent(phone);
    await vi.waitFor(async () => expect(await countSealed()).toBe(1));
    await damageSealed();
    await signInAs(phone, NORA);
    await screen.findByRole('button', { name: /^1 damaged/ });
    savePreferredLanguage(language);
    await phone.reload('/dashboard');
    await phone.user.click(await screen.findByRole('button', { name: words.damaged }));
    const sheet = within(await findSheet(words.list));
    failWrites(OUTBOX);
    await phone.user.click(sheet.getByRole('button', { name: words.discard }));
    const buttons = await screen.findAllByRole('button', { name: words.discard });
    await phone.user.click(buttons.at(-1) as HTMLElement);
    await waitFor(() => expect(alerts()).toContainEqual(expect.stringMatching(words.failed)));
    expect(await countSealed()).toBe(1);
  });
});

describe('"discard and sign out" everywhere', () => {
  const [[language, words]] = WORDS;

  test('discards nothing while the server does not end the sessions', async () => {
    const { phone, discardAll } = await openSignOutEverywhere(language, words);
    // Too long a wait for the app to repeat the request itself.
    phone.server.refuse(endAllSessions, 'unavailable', { 'retry-after': '60' });
    await discardAll();
    await waitFor(() => expect(alerts()).toHaveLength(1));
    expect(window.location.pathname).toBe('/profile/devices');
    expect(await countOps()).toBe(1);
    phone.server.heal(endAllSessions);
    await discardAll();
    await screen.findByRole('button', { name: words.sign_in });
    expect([await countOps(), await countSealed()]).toEqual([0, 0]);
  });
});
