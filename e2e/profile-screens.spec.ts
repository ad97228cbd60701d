import { expect, type Page } from '@playwright/test';
import { readPublicId, signIn, signUp, signUpUnasked } from './athlete.ts';
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
    await expect(sheet(page)).toBeVisible();
    await look(page, `body-${ending}`);
    await page.keyboard.press('Escape');
    await expect(sheet(page)).toHaveCount(0);
    await page.getByRole('button', { name: /^(Change|Cambiar)$/ }).click();
    await expect(sheet(page)).toBeVisible();
    await look(page, `public-id-${ending}`);
    await open(page, '/profile/devices', language);
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
    await look(page, `devices-${ending}`);
    await open(page, '/profile', 'en');
    const public_id = await readPublicId(carla);
    await open(page, '/profile/account', language);
    await look(page, `account-${ending}`);
    await page.getByRole('button', { name: /^(Delete account|Eliminar la cuenta)$/ }).click();
    await expect(sheet(page)).toBeVisible();
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

test('the switches of the profile keep the keyboard while they are saved, and the latest of quick changes counts', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Dora');
  const saving = Promise.withResolvers<void>();
  await page.route('**/v1/users/settings', async (route) => {
    if (route.request().method() === 'PATCH') await saving.promise;
    await route.continue();
  });
  await open(page, '/profile', 'en');
  const boards = page.getByRole('switch', { name: 'Show me on boards' });
  await expect(boards).toBeChecked();
  for (let presses = 0; presses < 3; presses += 1) {
    await boards.press('Space');
    await expect(boards).toHaveAttribute('aria-busy', 'true');
    await expect(boards).toBeFocused();
  }
  const presence = page.getByRole('switch', { name: 'Show friends where I train' });
  await presence.press('Space');
  await expect(presence).toHaveAttribute('aria-busy', 'true');
  await expect(presence).toBeFocused();
  saving.resolve();
  await expect(page.locator('[role=switch][aria-busy]')).toHaveCount(0);
  await expect(presence).toBeFocused();
  await page.reload();
  await expect(boards).not.toBeChecked();
  await context.close();
});

test('the settings say once each that they need a network, and nothing is wider than 320 px at text of 200 %', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Elsa', { viewport: { width: 320, height: 640 } });
  await open(page, '/profile', 'es');
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  await page.getByRole('switch', { name: 'Horas de silencio' }).check();
  await expect(page.getByLabel('Hasta')).toHaveValue('07:00');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await context.setOffline(true);
  await expect(page.getByText('Podrás cambiarlo cuando vuelvas a tener conexión.')).toHaveCount(1);
  await expect(page.getByText(/se puede cambiar cuando haya conexión/i)).toHaveCount(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await context.close();
});
