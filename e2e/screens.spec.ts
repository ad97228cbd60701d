import { type Browser, expect, type Page } from '@playwright/test';
import { encodeFriendCode, encodeInviteCode, qrUrl } from '../packages/domain/src/qr-code.ts';
import { test } from './browser/fixtures.ts';
import { type Athlete, findCenterId, signUp } from './people/athlete.ts';
import { openKiosk, openTablet } from './people/kiosk.ts';
import { openPool, POOL } from './people/swimming.ts';
import { chooseLanguage, LANGUAGES, type Language, look, lookAtScreen } from './screens/look.ts';
import type { Server } from './server/server.ts';

/** Looks at the screens of a visitor who is not signed in, as far as the provider's page. */
async function lookAtDoors(browser: Browser, server: Server, language: Language): Promise<void> {
  const context = await browser.newContext({ baseURL: server.url, locale: language });
  const page = await context.newPage();
  for (const path of ['login', 'register']) {
    await page.goto(`/${path}`);
    await lookAtScreen(page, `${path}-${language}`);
  }
  await page.getByRole('button', { name: /Create account|Crear cuenta/ }).click();
  await expect(page).toHaveURL(/\/oidc\//);
  await lookAtScreen(page, `sign-up-${language}`);
  await context.close();
}

/** Looks at a tablet before and after it became the kiosk of a center. */
async function lookAtKiosk(browser: Browser, server: Server, language: Language): Promise<void> {
  const options = { locale: language };
  const unpaired = await openTablet(browser, server, options);
  await lookAtScreen(unpaired.page, `kiosk-pairing-${language}`);
  const { page, context } = await openKiosk(browser, server, await findCenterId(server, POOL), options);
  await lookAtScreen(page, `kiosk-${language}`);
  await page.setViewportSize({ width: 320, height: 640 });
  await lookAtScreen(page, `kiosk-small-${language}`);
  await page.goto('/kiosk/set-up');
  await lookAtScreen(page, `kiosk-set-up-${language}`);
  for (const tablet of [unpaired, { context }]) await tablet.context.close();
}

/** Looks at the athlete's own codes, and the sheets that a code opens. */
async function lookAtCodes(page: Page, server: Server, ending: string): Promise<void> {
  await page.goto('/qr/generate?show=friend');
  await expect(page.getByRole('img')).toBeVisible();
  await look(page, `code-friend-${ending}`);
  await page.goto('/qr/decisions');
  await expect(page.getByRole('heading', { level: 2 })).toBeVisible();
  await look(page, `decisions-none-${ending}`);
  for (const [screen, bytes] of [
    ['scan-friend', encodeFriendCode('nina.climbs')],
    ['scan-invite', encodeInviteCode('none-such-code')],
  ] as const) {
    await page.goto('/dashboard');
    await page.goto(qrUrl(server.url, bytes));
    const sheet = page.getByRole('dialog');
    await expect(sheet).toBeVisible();
    // Nina is looked up on the server, which has no athlete with this id.
    if (screen === 'scan-friend') await expect(sheet.getByRole('alert')).toBeVisible();
    await look(page, `${screen}-${ending}`);
  }
}

/** Returns every screen of an athlete with a running activity, by the name of its picture. */
async function openScreens(athlete: Athlete, server: Server): Promise<Record<string, () => Promise<unknown>>> {
  const { page } = athlete;
  await openPool(athlete, server);
  await page.getByRole('button', { name: /Start swimming|Empezar a nadar/ }).click();
  await expect(page).toHaveURL(/\/activities\//);
  const activity = new URL(page.url()).pathname;
  return {
    dashboard: () => page.goto('/dashboard'),
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

for (const language of LANGUAGES) {
  test(`no screen of a visitor, a kiosk or an athlete, none of my codes and no sheet of a scanned code has a barrier that axe knows, in ${language} and both themes`, async ({
    browser,
    server,
  }) => {
    await lookAtDoors(browser, server, language);
    await lookAtKiosk(browser, server, language);
    const ines = await signUp(browser, server, 'Ines');
    const { page, context } = ines;
    await chooseLanguage(page, language);
    await lookAtCodes(page, server, language);
    for (const [name, open] of Object.entries(await openScreens(ines, server))) {
      await open();
      await lookAtScreen(page, `${name}-${language}`);
    }
    await context.close();
  });
}
