import { type Browser, expect, type Page } from '@playwright/test';
import { encodeFriendCode, encodeInviteCode, qrUrl } from '../packages/domain/src/qr-code.ts';
import { recordErrors } from './browser/console.ts';
import { test } from './browser/fixtures.ts';
import { type Athlete, findCenterId, signUp } from './people/athlete.ts';
import { openKiosk, openTablet } from './people/kiosk.ts';
import { openPool, POOL } from './people/swimming.ts';
import { chatButton } from './screens/chat-page.ts';
import { expectFitting, heightOf } from './screens/layout.ts';
import { chooseLanguage, LANGUAGES, type Language, look, lookAtScreen } from './screens/look.ts';
import type { Server } from './server/server.ts';

/** Looks at the screens of a visitor who is not signed in, as far as the provider's page. */
async function lookAtVisitorScreens(browser: Browser, server: Server, language: Language): Promise<void> {
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

const SMALL_TABLETS = [
  { width: 1024, height: 600 },
  { width: 600, height: 960 },
  { width: 768, height: 1024 },
];

/** Expects that nothing of the kiosk is below the edge of a small tablet: at a center, no visitor scrolls it. */
async function expectKioskFitting(page: Page): Promise<void> {
  for (const size of SMALL_TABLETS) {
    await page.setViewportSize(size);
    await expect.poll(() => heightOf(page), `the kiosk fits on ${size.width} × ${size.height} px`).toBe(size.height);
  }
}

/** Looks at a tablet before and after it became the kiosk of a center. */
async function lookAtKiosk(browser: Browser, server: Server, language: Language): Promise<void> {
  const options = { locale: language };
  const unpaired = await openTablet(browser, server, options);
  await lookAtScreen(unpaired.page, `kiosk-pairing-${language}`);
  const { page, context } = await openKiosk(browser, server, await findCenterId(server, POOL), options);
  await lookAtScreen(page, `kiosk-${language}`);
  await expectKioskFitting(page);
  await context.setOffline(true);
  await expect(page.getByText(/^(No connection|Sin conexión)\./)).toBeVisible();
  await expectKioskFitting(page);
  await context.setOffline(false);
  await page.setViewportSize({ width: 320, height: 640 });
  await lookAtScreen(page, `kiosk-small-${language}`);
  await page.goto('/kiosk/set-up');
  await lookAtScreen(page, `kiosk-set-up-${language}`);
  for (const tablet of [unpaired, { context }]) await tablet.context.close();
}

/** Looks at the athlete's own codes, and the sheets that a code opens. */
async function lookAtCodes(page: Page, server: Server, language: string): Promise<void> {
  await page.goto('/qr/generate?show=friend');
  await expect(page.getByRole('img')).toBeVisible();
  await look(page, `code-friend-${language}`);
  await page.goto('/qr/decisions');
  await expect(page.getByRole('heading', { level: 2 })).toBeVisible();
  await look(page, `decisions-none-${language}`);
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
    await look(page, `${screen}-${language}`);
  }
}

/** Returns the addresses of an athlete's screens, by the name of their picture, with a running activity. */
async function startActivity(athlete: Athlete, server: Server) {
  const { page } = athlete;
  const center_id = await openPool(athlete, server);
  await page.getByRole('button', { name: /Start swimming|Empezar a nadar/ }).click();
  await expect(page).toHaveURL(/\/activities\//);
  const activity = new URL(page.url()).pathname;
  return {
    with_chat_button: {
      dashboard: '/dashboard',
      centers: '/sport-centers',
      center: `/sport-centers/${center_id}`,
      activity,
      ranks: '/leaderboards',
      history: '/activities',
      friends: '/friends',
      profile: '/profile',
    },
    others: {
      calendar: '/activities?view=calendar',
      'my-code': '/qr/generate',
      'code-finish-first': `/qr/generate?activity=${activity.split('/').at(-1)}`,
      'scan-no-camera': '/qr/scan',
      'not-found': '/nothing/here',
    },
  };
}

/** The controls that appear last on a screen. */
const LAST_CONTROLS: Record<string, RegExp> = {
  centers: /^(Show where I am|Mostrar dónde estoy)$/,
  ranks: /^(Show me on boards|Mostrarme en las clasificaciones)$/,
};

/** This browser draws no map, and the server answers 404 to an unknown address. */
const EXPECTED_ERRORS = /GPUInitializationError: WebGL2 is required|^\S+\/nothing\/here: Failed to load resource/;

async function openWhole(page: Page, name: string, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const last = LAST_CONTROLS[name];
  if (last)
    await expect(page.getByRole('button', { name: last }).or(page.getByRole('switch', { name: last }))).toBeVisible();
}

/** Expects the last button of the map to stay visible without a network, although the offline bar takes some room. */
async function lookOffline(page: Page): Promise<void> {
  await page.goto('/sport-centers');
  const locate = page.getByRole('button', { name: LAST_CONTROLS.centers });
  await expect(locate).toBeInViewport({ ratio: 1 });
  await page.context().setOffline(true);
  await expect(page.getByText(/^(You're offline|(Estás s|S)in conexión)/).first()).toBeVisible();
  await expect(locate).toBeInViewport({ ratio: 1 });
  await page.context().setOffline(false);
}

/** Opens the chats, signs out and is sent away from a screen of athletes. */
async function leave(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await chatButton(page).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.goto('/profile');
  await page.getByRole('button', { name: /^(Sign out|Cerrar sesión)$/ }).click();
  await expect(page).toHaveURL(/\/login/);
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/login/);
}

for (const language of LANGUAGES) {
  test(`no screen of a visitor or a kiosk has a barrier that axe knows, in ${language}`, async ({
    browser,
    server,
  }) => {
    await lookAtVisitorScreens(browser, server, language);
    await lookAtKiosk(browser, server, language);
  });

  test(`no screen of an athlete without body data, none of my codes and no sheet of a scanned code has a barrier that axe knows, is wider than 320 px, has a control beneath the chat button or writes an error to the console, and being offline pushes none of the map out of sight, in ${language} [spec 1.audience.mobile-first]`, async ({
    browser,
    server,
  }) => {
    const ines = await signUp(browser, server, 'Ines');
    const { page, context } = ines;
    await chooseLanguage(page, language);
    await lookAtCodes(page, server, language);
    await lookOffline(page);
    const errors = recordErrors(page);
    const screens = await startActivity(ines, server);
    for (const [name, path] of Object.entries(screens.with_chat_button)) {
      await openWhole(page, name, path);
      await lookAtScreen(page, `${name}-${language}`);
      await expectFitting(page, name);
    }
    for (const [name, path] of Object.entries(screens.others)) {
      await openWhole(page, name, path);
      await lookAtScreen(page, `${name}-${language}`);
    }
    await leave(page);
    expect(errors.filter((error) => !EXPECTED_ERRORS.test(error))).toEqual([]);
    await context.close();
  });
}
