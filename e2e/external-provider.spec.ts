import { type BrowserContext, expect, type Page } from '@playwright/test';
import { test as base } from './browser/fixtures.ts';
import { postponeNameWheneverAsked } from './people/welcome.ts';
import { type ExternalProvider, GRACE, prepareExternalProvider } from './server/external-provider.ts';
import type { Server } from './server/server.ts';

const SIGNED_OUT_COOKIE = '__Host-sendlap_signed_out';
/** Includes the id of the request, for the operator. */
const UNREACHABLE = /^The sign-in service can't be reached right now\. Please try again in a moment\. Request \w+\.$/;

interface Elsewhere {
  provider: ExternalProvider;
  server: Server;
}

/** A server whose users sign in at a third-party provider, which is not running yet. */
const test = base.extend<{ elsewhere: Elsewhere }, { provider: ExternalProvider }>({
  provider: [
    async ({ browserName: _ }, use) => {
      const provider = await prepareExternalProvider();
      await use(provider);
      await provider.stop();
    },
    { scope: 'worker' },
  ],
  server_settings: ({ provider }, use) => use(provider.settings),
  elsewhere: ({ provider, server }, use) => use({ provider, server }),
});

const form = (page: Page) => page.getByRole('heading', { name: 'Sign in at Elsewhere' });

async function pressSignIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function fillForm(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill(GRACE.email);
  await page.getByLabel('Password').fill(GRACE.password);
  await page.getByRole('button', { name: 'Go on' }).click();
}

/** Signs in on a browser of her own, by the third-party provider's form. */
async function signIn(page: Page): Promise<void> {
  await page.goto('/login');
  await pressSignIn(page);
  await fillForm(page);
  await expect(page).toHaveURL(/\/dashboard$/);
}

async function signOut(page: Page, answer: 'Sign me out' | 'Stay signed in'): Promise<void> {
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Leave Elsewhere?' })).toBeVisible();
  await page.getByRole('button', { name: answer }).click();
  await expect(page).toHaveURL(/\/login$/);
}

async function cookieNames(context: BrowserContext): Promise<string[]> {
  return (await context.cookies()).map(({ name }) => name);
}

test('an external provider that is down gives an error text; once it is back, people sign in by it, with PKCE [spec 1.sign-in.provider]', async ({
  browser,
  elsewhere: { provider, server },
}) => {
  await provider.stop();
  const context = await browser.newContext({ baseURL: server.url });
  await context.clock.install();
  const page = await context.newPage();
  await postponeNameWheneverAsked(page);
  await page.goto('/login');
  await pressSignIn(page);
  // The app retries before it reports the failure.
  const saysSo = async () => {
    await context.clock.fastForward(1_000);
    return page.getByRole('alert').allInnerTexts();
  };
  await expect.poll(saysSo).toEqual([expect.stringMatching(UNREACHABLE)]);
  await expect(page).toHaveURL(/\/login$/);

  await provider.start(server.url);
  const asked = page.waitForRequest((request) => request.url().startsWith(`${provider.issuer}/auth?`));
  await pressSignIn(page);
  const sent = new URL((await asked).url()).searchParams;
  expect([sent.get('code_challenge_method'), sent.get('response_type')]).toEqual(['S256', 'code']);
  expect(sent.get('code_challenge')).toMatch(/^[\w-]{43}$/);
  await expect(form(page)).toBeVisible();
  await fillForm(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto('/profile');
  await expect(page.getByText(GRACE.name)).toBeVisible();
  await expect(page.getByText(GRACE.email)).toBeVisible();
  await context.close();
});

test('after a sign-out the external provider asks for the password again, also when it still has its own session', async ({
  browser,
  elsewhere: { provider, server },
}) => {
  await provider.start(server.url);
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  await postponeNameWheneverAsked(page);
  await signIn(page);
  expect(await cookieNames(context)).not.toContain(SIGNED_OUT_COOKIE);

  await signOut(page, 'Stay signed in');
  await pressSignIn(page);
  await expect(form(page)).toBeVisible();

  // The control: only the app's own cookie of the sign-out makes the provider ask. Without it no form appears, as the
  // provider's session is still alive.
  await context.clearCookies({ name: SIGNED_OUT_COOKIE });
  const forms: string[] = [];
  page.on('request', (request) => request.url().startsWith(`${provider.issuer}/interaction/`) && forms.push('asked'));
  await page.goto('/login');
  await pressSignIn(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  expect(forms).toEqual([]);

  // Signed out at the provider too: its form appears, and the password clears the app's cookie.
  await signOut(page, 'Sign me out');
  expect(await cookieNames(context)).toContain(SIGNED_OUT_COOKIE);
  await pressSignIn(page);
  await expect(form(page)).toBeVisible();
  await fillForm(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  expect(await cookieNames(context)).not.toContain(SIGNED_OUT_COOKIE);
  await context.close();
});
