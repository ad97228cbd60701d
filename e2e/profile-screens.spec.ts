import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { readPublicId, signIn, signUpUnasked } from './athlete.ts';
import { test } from './fixtures.ts';
import { answerWelcome, sheet } from './profile.ts';

/** Where the pictures go that a person looks at. */
const PICTURES = '.cache/screens';

async function look(page: Page, name: string): Promise<void> {
  // Contrast is measured when a sheet has arrived.
  await page.waitForTimeout(700);
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
}

/** Opens an address in both languages and does the same there. */
async function inBothLanguages(page: Page, path: string, act: (language: string) => Promise<void>): Promise<void> {
  for (const language of ['es', 'en']) {
    await page.evaluate((choice) => localStorage.setItem('preferred-language', choice), language);
    await page.goto(path);
    // Behind a sheet that is open already it is hidden from assistive technology, not from the eye.
    await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toBeVisible();
    await act(language);
  }
}

for (const theme of ['light', 'dark'] as const) {
  test(`no sheet and no screen of the profile has a barrier that axe knows, in ${theme}`, async ({
    browser,
    server,
  }) => {
    const carla = await signUpUnasked(browser, server, 'Carla', { colorScheme: theme });
    const { page, context } = carla;
    await inBothLanguages(page, '/dashboard', async (language) => {
      await expect(sheet(page)).toBeVisible();
      await look(page, `welcome-${language}-${theme}`);
      await sheet(page)
        .getByRole('button', { name: /^(Save|Guardar)$/ })
        .click();
      await expect(sheet(page).getByRole('alert')).toHaveCount(3);
      await look(page, `welcome-refused-${language}-${theme}`);
    });
    await answerWelcome(page);
    await inBothLanguages(page, '/profile', async (language) => {
      await page.getByRole('button', { name: /^(Edit|Editar)$/ }).click();
      await look(page, `body-${language}-${theme}`);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /^(Change|Cambiar)$/ }).click();
      await look(page, `public-id-${language}-${theme}`);
    });
    await inBothLanguages(page, '/profile/devices', async (language) => {
      await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
      await look(page, `devices-${language}-${theme}`);
    });
    await inBothLanguages(page, '/profile/account', async (language) => {
      await look(page, `account-${language}-${theme}`);
      await page.getByRole('button', { name: /^(Delete account|Eliminar la cuenta)$/ }).click();
      await look(page, `delete-${language}-${theme}`);
    });
    await page.goto('/profile');
    const public_id = await readPublicId(carla);
    await page.goto('/profile/account');
    await page.getByRole('button', { name: 'Delete account' }).click();
    await sheet(page).getByRole('textbox').fill(public_id);
    await sheet(page).getByRole('button', { name: 'Delete for good' }).click();
    await expect(page).toHaveURL(/\/login/);
    await signIn(page, carla.email);
    await inBothLanguages(page, '/dashboard', (language) => look(page, `locked-${language}-${theme}`));
    await context.close();
  });
}
