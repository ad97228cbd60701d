import { logout } from '@sendlap/contract/auth.ts';
import { screen, within } from '@testing-library/dom';
import { describe, expect, test, vi } from 'vitest';
import { savePreferredLanguage } from '#web/shared/i18n/language.ts';
import { failWrites } from '../device/failed-writes.ts';
import { startSwimming } from '../scenes/activity-scene.ts';
import { findSheet } from '../scenes/profile-screen.ts';
import { countSealed, openWithSealingKey } from '../scenes/sealed-work.ts';

const OUTBOX = 'sendlap-outbox';

describe.each([
  [
    'en',
    {
      failed: /^Nothing was discarded\. Close other tabs/,
      sign_out: 'Sign out',
      sign_in: 'Sign in',
      discard_all: 'Discard and sign out',
      unsent: '1 thing is not sent yet',
    },
  ],
  [
    'es',
    {
      failed: /^No se ha descartado nada\. Cierra otras pestañas/,
      sign_out: 'Cerrar sesión',
      sign_in: 'Iniciar sesión',
      discard_all: 'Descartar y cerrar sesión',
      unsent: 'Queda 1 cosa por enviar',
    },
  ],
] as const)('on a device that cannot delete, in %s', (language, words) => {
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
});
