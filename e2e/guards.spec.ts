import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { PASSWORD, signUp } from './athlete.ts';
import { test } from './fixtures.ts';
import { untilQuiet } from './quiet-page.ts';
import { createAccount, openForm, openVisitor, submitForm } from './visitor.ts';
import { postponeWheneverAsked } from './welcome.ts';

const WEB = fileURLToPath(new URL('../apps/web', import.meta.url));
/** Everything behind the doors; the ids are nobody's. */
const INSIDE = [
  '/dashboard',
  '/sport-centers',
  '/sport-centers/22222222-2222-4222-8222-222222222222',
  '/activities/22222222-2222-4222-8222-222222222222',
  '/qr/scan',
  '/qr/generate',
  '/leaderboards',
  '/badges',
  '/profile',
  '/profile/devices',
  '/profile/account',
];

/** What the page asked the server for, by path. */
function listen(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  return asked;
}

test('a visitor reaches the doors and nothing else; whoever is signed in reaches everything else [spec 6.role.anonymous, 6.role.signed-in]', async ({
  browser,
  server,
}) => {
  const visitor = await openVisitor(browser, server);
  for (const path of INSIDE) {
    await visitor.goto(path);
    await expect(visitor, path).toHaveURL(/\/login$/);
  }
  for (const path of ['/login', '/register']) {
    await visitor.goto(path);
    await expect(visitor.getByRole('button', { name: /^(Sign in|Create account)$/ })).toBeVisible();
    await expect(visitor).toHaveURL(new RegExp(`${path}$`));
  }
  await visitor.context().close();

  const { page, context } = await signUp(browser, server, 'Inge');
  for (const path of INSIDE) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
    await expect(page, path).toHaveURL(server.url + path);
  }
  await context.close();
});

test('on the three doors the start asks nobody who is signed in, and everywhere else it does [spec 2.start-check.login, 2.start-check.register, 2.start-check.callback, 4.start-up.skip, 4.start-up.fetch]', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Skip');
  for (const path of ['/login', '/register', '/auth/callback?code=x&state=x']) {
    const asked = listen(page);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await untilQuiet(page);
    expect(asked, path).not.toContain('/v1/auth/me');
    expect(asked, path).not.toContain('/v1/auth/refresh');
    page.removeAllListeners('request');
  }
  const asked = listen(page);
  await page.goto('/dashboard');
  await expect.poll(() => asked).toContain('/v1/auth/me');
  await context.close();
});

test('signing out goes to /login, in all tabs; a server that fails is told about, and does not keep anybody in [spec 2.logout.to-login, 4.logout.failed, 4.logout.failed-to-login]', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Olga');
  const other = await context.newPage();
  await other.goto('/leaderboards');
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
  // The page still finds out who is here when the tap comes, and is at the door before the server failed.
  const [refreshed, failed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route('**/v1/auth/refresh', (route) => refreshed.promise.then(() => route.continue()));
  await context.route('**/v1/auth/logout', (route) =>
    failed.promise.then(() => route.fulfill({ status: 500, body: '' })),
  );
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  refreshed.resolve();
  await expect(page).toHaveURL(/\/login$/);
  failed.resolve();
  await expect(page.getByRole('alert')).toHaveText('Logout failed, but you have been logged out locally');
  await expect(other).toHaveURL(/\/login$/);
  await context.unroute('**/v1/auth/logout');
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/login$/);
  await context.close();
});

test('a tab that shows one athlete starts over by itself when another signs in beside it', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Ana');
  // Berta is asked the questions of a first run in whichever tab is there first.
  await postponeWheneverAsked(page);
  const account = await createAccount(server, 'Berta');
  await page.evaluate(() => document.documentElement.setAttribute('data-page-life', 'first'));
  const door = await context.newPage();
  await door.goto('/login');
  await openForm(door);
  await submitForm(door, account);
  await expect(door).toHaveURL(/\/dashboard$/);
  await expect(page.locator('html[data-page-life=first]')).toHaveCount(0);
  await page.goto('/profile');
  await expect(page.getByRole('heading', { level: 2, name: 'Berta' })).toBeVisible();
  // As a word: a public id of chance may hold these letters.
  await expect(page.getByText(/\bAna\b/)).toHaveCount(0);
  await context.close();
});

test('an athlete whose session ended is told why at the door, and comes back to the same screen', async ({
  browser,
  server,
}) => {
  const { page, context, email } = await signUp(browser, server, 'Iris');
  // The screen is there before the start has asked who it is for: that answer would bring a new cookie.
  const answered = page.waitForResponse((response) => response.url().endsWith('/v1/auth/me') && response.ok());
  await page.goto('/leaderboards');
  await answered;
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await context.clearCookies();
  await page.reload();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('alert')).toHaveText('Authentication failed - please login again');
  await openForm(page);
  await submitForm(page, { email, password: PASSWORD });
  await expect(page).toHaveURL(/\/leaderboards$/);
  await context.close();
});

const TRACES = ['demo@sendlap.test', 'sendlap demo user', 'VITE_DEMO_USER', 'users create', 'Demo user'];
/** What the build puts behind a file's name to tell its content: chance may spell anything there. */
const HASH = /-[\w-]{8}(?=\.\w+$)/;

/** The texts of all files below a folder, by their names. */
function readTexts(folder: string, passes: (name: string) => boolean): [string, string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && passes(entry.name))
    .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'utf8')]);
}

test('the production build holds no trace of the demo-user switch, whose source does [spec 2.demo.dev-only, 6.demo.bundle]', () => {
  const built = readTexts(join(WEB, 'dist'), (name) => /\.(js|css|html|json|webmanifest)$/.test(name));
  const holds = (text: string) => built.filter(([, content]) => content.includes(text)).map(([name]) => name);
  expect(holds('Use e-mail and password here')).toHaveLength(1);
  expect(built.map(([name]) => name).filter((name) => /demo/i.test(name.replace(HASH, '')))).toEqual([]);
  for (const trace of TRACES) expect([trace, holds(trace)]).toEqual([trace, []]);

  const source = readTexts(join(WEB, 'src/features/auth'), (name) => /(?<!\.test)\.tsx?$/.test(name));
  for (const trace of TRACES)
    expect(
      source.some(([, content]) => content.includes(trace)),
      trace,
    ).toBe(true);
});
