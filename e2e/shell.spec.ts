import { expect } from '@playwright/test';
import { fillSignUpForm, signUp, WITH_WORKER, waitForWorker } from './athlete.ts';
import { test } from './fixtures.ts';
import { serveUpdatingWorker } from './updating-worker.ts';

const SIGNED_IN_ONLY = ['/dashboard', '/sport-centers', '/qr/scan', '/qr/generate', '/profile', '/leaderboards'];

test('an anonymous visitor of a signed-in screen is sent to /login and lands there after signing up [spec 2.access.redirect, 2.access.origin, 2.root.anonymous, 2.route.root, 2.route.login, 2.route.register, 2.route.auth-callback]', async ({
  browser,
  server,
}) => {
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  for (const path of [...SIGNED_IN_ONLY, '/']) {
    await page.goto(path);
    await expect(page, path).toHaveURL(/\/login$/);
  }
  await page.goto('/leaderboards?sport=swimming');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await page.getByRole('link', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/\/register$/);
  await page.getByRole('button', { name: 'Create account' }).click();
  await fillSignUpForm(page, 'Origin');
  await expect(page).toHaveURL(/\/leaderboards\?sport=swimming$/);
  await context.close();
});

test('a signed-in athlete moves by the bottom navigation, and / leads home [spec 2.nav.signed-in, 2.nav.home, 2.nav.sport-centers, 2.nav.ranks, 2.nav.profile, 2.root.signed-in, 2.route.dashboard, 2.route.sport-centers, 2.route.profile, 2.route.leaderboards, 2.route.qr-scan, 2.route.qr-generate]', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Nav');
  const links = { Home: '/dashboard', 'Sport Centers': '/sport-centers', Ranks: '/leaderboards', Profile: '/profile' };
  for (const [name, path] of Object.entries(links)) {
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await expect(page.getByRole('navigation').getByRole('link', { name, exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    );
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  for (const path of ['/qr/scan', '/qr/generate']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
  }
  await page.goto('/');
  await expect(page).toHaveURL(/\/dashboard$/);
  await context.close();
});

test('nothing on any screen is wider than 320 px, and the layout is made for the phone [spec 1.audience.mobile-first]', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Narrow', { viewport: { width: 320, height: 640 } });
  for (const path of ['/dashboard', '/sport-centers', '/leaderboards', '/profile', '/qr/generate', '/qr/scan']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320);
  }
  await context.close();
});

test('the app opens without a network once its worker is installed, and says that it is offline [spec 1.offline.works, 2.banner.offline, 7.worker.registered, 1.install.installable]', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Cave', WITH_WORKER);
  await waitForWorker(page);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.scriptURL)).toBe(
    `${server.url}/sw.js`,
  );
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText("You're offline - Changes will sync when you're back online")).toBeVisible();
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Home' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("You're offline - Changes will sync when you're back online")).toBeHidden();
  const manifest = await (await fetch(`${server.url}/manifest.webmanifest`)).json();
  expect(manifest).toMatchObject({ name: 'Sendlap', display: 'standalone' });
  for (const icon of manifest.icons) expect((await fetch(new URL(icon.src, server.url))).status).toBe(200);
  await context.close();
});

test('a new version is offered, never at the first install; Later dismisses it, Update Now takes it [spec 2.update.card, 2.update.now, 2.update.later, 4.update.available, 4.update.now, 4.update.later, 7.worker.skip-waiting, 1.install.update-card]', async ({
  browser,
  server,
}) => {
  const app = await serveUpdatingWorker(server);
  const context = await browser.newContext({ baseURL: app.url, ...WITH_WORKER });
  const page = await context.newPage();
  await page.goto('/login');
  await waitForWorker(page);
  await expect(page.getByRole('button', { name: 'Update Now' })).toHaveCount(0);
  app.publish();
  await page.reload();
  await page.getByRole('button', { name: 'Later' }).click();
  await expect(page.getByRole('button', { name: 'Update Now' })).toHaveCount(0);
  await page.reload();
  const old = await page.evaluate(() => performance.timeOrigin);
  await page.getByRole('button', { name: 'Update Now' }).click();
  await page.waitForFunction((origin) => performance.timeOrigin !== origin, old);
  await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration())?.waiting === null);
  await expect(page.getByRole('button', { name: 'Update Now' })).toHaveCount(0);
  await context.close();
  await app.close();
});

/** What Chromium fires when it would install the app; it does not fire it by itself in a test. */
function offerInstall(outcome: 'accepted' | 'dismissed'): void {
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
    prompt: () => {
      document.documentElement.dataset.prompted = 'yes';
      return Promise.resolve({ outcome });
    },
    userChoice: Promise.resolve({ outcome }),
  });
  window.dispatchEvent(event);
}

for (const outcome of ['accepted', 'dismissed'] as const) {
  test(`the app offers to install itself when the browser does, and the athlete's answer is ${outcome} [spec 2.install.prompt, 4.install.available, 4.install.accepted, 4.install.dismissed, 1.install.prompt]`, async ({
    browser,
    server,
  }) => {
    const { page, context } = await signUp(browser, server, 'Install');
    await expect(page.getByRole('button', { name: 'Install', exact: true })).toHaveCount(0);
    await page.evaluate(offerInstall, outcome);
    await page.getByRole('button', { name: 'Install', exact: true }).click();
    await expect(page.locator('html')).toHaveAttribute('data-prompted', 'yes');
    await expect(page.getByRole('button', { name: 'Install', exact: true })).toHaveCount(0);
    await context.close();
  });
}

test('iOS Safari gets the steps instead of a prompt [spec 2.install.ios, 2.install.ios-home, 2.install.ios-add]', async ({
  browser,
  server,
}) => {
  const userAgent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
  const { page, context } = await signUp(browser, server, 'Apple', { userAgent });
  await expect(page.getByText('Add to Home Screen')).toBeVisible();
  await expect(page.getByText('Add', { exact: true })).toBeVisible();
  await expect(page.getByText(/share/i).first()).toBeVisible();
  await context.close();
});

for (const { locale, title, reload, dashboard } of [
  { locale: 'en-GB', title: 'Something went wrong', reload: 'Reload Page', dashboard: 'Go to Dashboard' },
  { locale: 'es-ES', title: 'Algo ha salido mal', reload: 'Recargar la página', dashboard: 'Ir al inicio' },
]) {
  test(`a screen that cannot be loaded shows the error screen in ${locale} [spec 2.error.title, 2.error.reload, 2.error.dashboard, 2.error.spanish]`, async ({
    browser,
    server,
  }) => {
    const { page, context } = await signUp(browser, server, 'Broken');
    await context.route('**/assets/ProfileScreen*', (route) => route.abort());
    await page.evaluate((language) => localStorage.setItem('preferred-language', language), locale.slice(0, 2));
    await page.goto('/profile');
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.getByRole('button', { name: dashboard })).toBeVisible();
    await context.unroute('**/assets/ProfileScreen*');
    await page.getByRole('button', { name: reload }).click();
    await expect(page.getByRole('heading', { name: title })).toBeHidden();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await context.close();
  });
}

test('a part and a screen whose code does not come leave the rest in place, and come when they are asked for again', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Patchy');
  const missing = /\/assets\/(NotificationsCard|FriendsScreen)/;
  await context.route(missing, (route) => route.abort());
  const profile = page.getByRole('navigation').getByRole('link', { name: 'Profile' });
  await profile.click();
  const part = page.getByText('This part could not be loaded. Check your connection.');
  await expect(part).toBeVisible();
  await expect(page.getByRole('heading', { level: 2, name: 'Settings' })).toBeVisible();
  const friends = page.getByRole('main').getByRole('link', { name: 'Friends' });
  await friends.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Something went wrong' })).toBeVisible();
  await expect(part).toBeVisible();
  // Another screen is not touched by it.
  await profile.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
  await friends.click();
  const retry = page.getByRole('button', { name: 'Retry' });
  await retry.click();
  await expect(retry).toBeVisible();
  await context.unroute(missing);
  await retry.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Friends' })).toBeVisible();
  await context.route(missing, (route) => route.abort());
  await page.goto('/profile');
  await retry.focus();
  await page.keyboard.press('Enter');
  await expect(retry).toBeFocused();
  // A press while it is still being asked for does nothing.
  await expect(retry).not.toHaveAttribute('aria-busy', 'true');
  await expect(part).toBeVisible();
  await context.unroute(missing);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'Notifications' })).toBeVisible();
  await context.close();
});

test('the language is the browser’s if it is English or Spanish, else English; a choice is kept [spec 1.language.only-two, 5.language.two, 9.language.stored, 9.language.browser, 9.language.english]', async ({
  browser,
  server,
}) => {
  for (const [locale, language] of [
    ['es-MX', 'es'],
    ['en-US', 'en'],
    ['de-DE', 'en'],
  ]) {
    const context = await browser.newContext({ baseURL: server.url, locale });
    const page = await context.newPage();
    await page.goto('/login');
    await expect(page.locator('html')).toHaveAttribute('lang', language ?? '');
    await context.close();
  }
  const context = await browser.newContext({ baseURL: server.url, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto('/login');
  await page.getByRole('button', { name: 'Español' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  expect(await page.evaluate(() => localStorage.getItem('preferred-language'))).toBe('es');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  await page.evaluate(() => localStorage.setItem('preferred-language', 'fr'));
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await context.close();
});
