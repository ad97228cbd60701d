import { expect, type Page } from '@playwright/test';
import { readPublicId, signIn, signUpUnasked } from './athlete.ts';
import { test } from './fixtures.ts';
import { type Language, LOOKS, look } from './look.ts';
import { answerWelcome, sheet } from './profile.ts';

/** Opens an address in this language. */
async function open(page: Page, path: string, language: Language): Promise<void> {
  await page.evaluate((choice) => localStorage.setItem('preferred-language', choice), language);
  await page.goto(path);
  // Behind a sheet that is open already it is hidden from assistive technology, not from the eye.
  await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toBeVisible();
}

for (const [language, theme] of LOOKS) {
  test(`no sheet and no screen of the profile has a barrier that axe knows, in ${language} and ${theme}`, async ({
    browser,
    server,
  }) => {
    const ending = `${language}-${theme}`;
    const carla = await signUpUnasked(browser, server, 'Carla', { colorScheme: theme });
    const { page, context } = carla;
    await open(page, '/dashboard', language);
    await expect(sheet(page)).toBeVisible();
    await look(page, `welcome-${ending}`);
    await sheet(page)
      .getByRole('button', { name: /^(Save|Guardar)$/ })
      .click();
    await expect(sheet(page).getByRole('alert')).toHaveCount(3);
    await look(page, `welcome-refused-${ending}`);
    await open(page, '/dashboard', 'en');
    await answerWelcome(page);
    await open(page, '/profile', language);
    await page.getByRole('button', { name: /^(Edit|Editar)$/ }).click();
    await look(page, `body-${ending}`);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^(Change|Cambiar)$/ }).click();
    await look(page, `public-id-${ending}`);
    await open(page, '/profile/devices', language);
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
    await look(page, `devices-${ending}`);
    await open(page, '/profile', 'en');
    const public_id = await readPublicId(carla);
    await open(page, '/profile/account', language);
    await look(page, `account-${ending}`);
    await page.getByRole('button', { name: /^(Delete account|Eliminar la cuenta)$/ }).click();
    await look(page, `delete-${ending}`);
    await sheet(page).getByRole('textbox').fill(public_id);
    await sheet(page)
      .getByRole('button', { name: /^(Delete for good|Eliminar para siempre)$/ })
      .click();
    await expect(page).toHaveURL(/\/login/);
    await page.evaluate(() => localStorage.setItem('preferred-language', 'en'));
    await signIn(page, carla.email);
    await open(page, '/dashboard', language);
    await look(page, `locked-${ending}`);
    await context.close();
  });
}
