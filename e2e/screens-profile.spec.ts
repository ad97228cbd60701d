import { type Browser, expect, type Page } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { signIn, signUpWithoutScreens } from './people/athlete.ts';
import { sheet } from './people/profile.ts';
import { chooseLanguage, LANGUAGES, type Language, look } from './screens/look.ts';
import type { Server } from './server/server.ts';

/** Opens an address in this language. */
async function open(page: Page, path: string, language: Language): Promise<void> {
  await chooseLanguage(page, language);
  await page.goto(path);
  // Behind an open sheet, the heading is hidden from assistive technology, but visible.
  await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toBeVisible();
}

/** Opens a new athlete on the boards, where body data is asked. */
async function openNewcomer(browser: Browser, server: Server) {
  const context = await browser.newContext({ baseURL: server.url });
  await context.clock.install({ time: server.now() });
  const page = await context.newPage();
  const { email } = await signUpWithoutScreens(context, server, 'Carla');
  await page.goto('/leaderboards');
  await expect(bodyQuestion(page)).toBeVisible();
  return { context, page, email };
}

const bodyQuestion = (page: Page) => page.getByRole('region', { name: /^(How old are you\?|¿Cuántos años tienes\?)$/ });

/** Looks at the question of body data, and answers it. */
async function lookAtBodyQuestion(page: Page, language: Language): Promise<void> {
  const save = sheet(page).getByRole('button', { name: /^(Save|Guardar)$/ });
  await open(page, '/leaderboards', language);
  await expect(bodyQuestion(page)).toBeVisible();
  await look(page, `body-question-${language}`);
  await bodyQuestion(page)
    .getByRole('button', { name: /^(Add body data|Añadir datos corporales)$/ })
    .click();
  await expect(sheet(page)).toBeVisible();
  await save.click();
  await expect(sheet(page).getByRole('alert')).toHaveCount(3);
  await look(page, `body-refused-${language}`);
  await sheet(page)
    .getByLabel(/^(Age|Edad)/)
    .fill('34');
  await sheet(page)
    .getByLabel(/^(Weight|Peso)/)
    .fill('61,5');
  await sheet(page)
    .getByLabel(/^(Height|Altura|Estatura)/)
    .fill('170');
  await save.click();
  await expect(sheet(page)).toHaveCount(0);
}

/** Looks at the profile's sheets. Returns the athlete's public id. */
async function lookAtSheets(page: Page, language: Language): Promise<string> {
  await open(page, '/profile', language);
  const public_id = await page.getByText(/^sl-[a-z0-9]{10}$/).innerText();
  await page.getByRole('button', { name: /^(Edit|Editar)$/ }).click();
  await expect(sheet(page)).toBeVisible();
  await look(page, `body-${language}`);
  await page.keyboard.press('Escape');
  await expect(sheet(page)).toHaveCount(0);
  await page.getByRole('button', { name: /^(Change your public ID|Cambia tu ID público)$/ }).click();
  await expect(sheet(page)).toBeVisible();
  await look(page, `public-id-${language}`);
  return public_id;
}

/** Looks at the card of notifications in a browser that denies them. */
async function lookAtNotifications(page: Page, language: Language): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'denied' });
  });
  await open(page, '/profile', language);
  const heading = page.getByRole('heading', { level: 2, name: /^(Notifications|Notificaciones)$/ });
  const card = page.locator('section', { has: heading });
  await expect(card).toContainText(/^.*(blocks notifications|bloquea las notificaciones)/);
  await card.getByRole('switch', { name: /^(Quiet hours|Horas de silencio)$/ }).check();
  await expect(card.getByLabel(/^(From|Desde)$/)).toHaveValue('22:00');
  await card.scrollIntoViewIfNeeded();
  await look(page, `notifications-${language}`);
}

/** Deletes the account, as its owner does. */
async function lookAtDeletion(page: Page, language: Language, public_id: string): Promise<void> {
  await open(page, '/profile/account', language);
  await look(page, `account-${language}`);
  await page.getByRole('button', { name: /^(Delete account|Eliminar la cuenta)$/ }).click();
  await expect(sheet(page)).toBeVisible();
  await look(page, `delete-${language}`);
  await sheet(page).getByRole('textbox').fill(public_id);
  await sheet(page)
    .getByRole('button', { name: /^(Delete my account|Eliminar mi cuenta)$/ })
    .click();
  await expect(page).toHaveURL(/\/login/);
}

test('no sheet and no screen of the profile has a barrier that axe knows, and its card says what to do where the browser blocks notifications', async ({
  browser,
  server,
}) => {
  for (const language of LANGUAGES) {
    const { context, page, email } = await openNewcomer(browser, server);
    await lookAtBodyQuestion(page, language);
    const public_id = await lookAtSheets(page, language);
    await lookAtNotifications(page, language);
    await open(page, '/profile/devices', language);
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
    await look(page, `devices-${language}`);
    await lookAtDeletion(page, language, public_id);
    await chooseLanguage(page, 'en');
    await signIn(page, email);
    await open(page, '/dashboard', language);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^(Account locked|Cuenta bloqueada)$/);
    await look(page, `locked-${language}`);
    await context.close();
  }
});
