import { expect } from '@playwright/test';
import { type Athlete, signUp } from './athlete.ts';
import { test } from './fixtures.ts';
import { LOOKS, lookAtScreen } from './look.ts';
import type { Server } from './server.ts';
import { openPool } from './swimming.ts';

/** Every screen of an athlete who has an activity running, by the name of its picture. */
async function openScreens(athlete: Athlete, server: Server): Promise<Record<string, () => Promise<unknown>>> {
  const { page } = athlete;
  await openPool(athlete, server);
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
    history: () => page.goto('/activities'),
    calendar: () => page.goto('/activities?view=calendar'),
    profile: () => page.goto('/profile'),
    'code-finish-first': () => page.goto(`/qr/generate?activity=${activity.split('/').at(-1)}`),
    'scan-no-camera': () => page.goto('/qr/scan'),
    'not-found': () => page.goto('/nothing/here'),
  };
}

for (const [language, theme] of LOOKS) {
  test(`no screen has a barrier that axe knows, in ${language} and ${theme} [spec 1.language.complete]`, async ({
    browser,
    server,
  }) => {
    const visitor = await browser.newContext({ baseURL: server.url, colorScheme: theme, locale: language });
    const door = await visitor.newPage();
    for (const path of ['login', 'register']) {
      await door.goto(`/${path}`);
      await lookAtScreen(door, `${path}-${language}-${theme}`);
    }
    await door.getByRole('button', { name: /Create account|Crear cuenta/ }).click();
    await expect(door).toHaveURL(/\/oidc\//);
    await lookAtScreen(door, `sign-up-${language}-${theme}`);
    await visitor.close();

    const ines = await signUp(browser, server, 'Ines', { colorScheme: theme });
    const { page, context } = ines;
    await page.evaluate((choice) => localStorage.setItem('preferred-language', choice), language);
    for (const [name, open] of Object.entries(await openScreens(ines, server))) {
      await open();
      await lookAtScreen(page, `${name}-${language}-${theme}`);
    }
    await context.close();
  });
}
