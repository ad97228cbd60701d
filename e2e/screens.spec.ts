import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { openCenter, signUp } from './athlete.ts';
import { test } from './fixtures.ts';

const LANGUAGES = ['en', 'es'] as const;
const THEMES = ['light', 'dark'] as const;
const POOL = 'La Cebada';
/** Where the pictures go that a person looks at. */
const PICTURES = '.cache/screens';

/** Every screen of an athlete who has an activity running, by the name of its picture. */
async function openScreens(page: Page): Promise<Record<string, () => Promise<unknown>>> {
  await openCenter(page, POOL);
  const center = new URL(page.url()).pathname;
  await page.getByRole('button', { name: /Start swimming|Empezar a nadar/ }).click();
  await expect(page).toHaveURL(/\/activities\//);
  const activity = new URL(page.url()).pathname;
  return {
    dashboard: () => page.goto('/dashboard'),
    centers: () => page.goto('/sport-centers'),
    center: () => page.goto(center),
    activity: () => page.goto(activity),
    ranks: () => page.goto('/leaderboards'),
    profile: () => page.goto('/profile'),
    'code-finish-first': () => page.goto(`/qr/generate?activity=${activity.split('/').at(-1)}`),
    'scan-no-camera': () => page.goto('/qr/scan'),
    'not-found': () => page.goto('/nothing/here'),
  };
}

async function look(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('status', { name: /^(Loading|Cargando)$/ })).toHaveCount(0);
  // The address of a tile or an animation must not decide: the picture is taken when all has come to rest.
  await page.waitForTimeout(700);
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
}

for (const language of LANGUAGES) {
  for (const theme of THEMES) {
    test(`no screen has a barrier that axe knows, in ${language} and ${theme} [spec 1.language.complete]`, async ({
      browser,
      server,
    }) => {
      const visitor = await browser.newContext({ baseURL: server.url, colorScheme: theme, locale: language });
      const door = await visitor.newPage();
      for (const path of ['login', 'register']) {
        await door.goto(`/${path}`);
        await look(door, `${path}-${language}-${theme}`);
      }
      await door.getByRole('button', { name: /Create account|Crear cuenta/ }).click();
      await expect(door).toHaveURL(/\/oidc\//);
      await look(door, `sign-up-${language}-${theme}`);
      await visitor.close();

      const { page, context } = await signUp(browser, server, 'Ines', { colorScheme: theme });
      await page.evaluate((choice) => localStorage.setItem('preferred-language', choice), language);
      for (const [name, open] of Object.entries(await openScreens(page))) {
        await open();
        await look(page, `${name}-${language}-${theme}`);
      }
      await context.close();
    });
  }
}
