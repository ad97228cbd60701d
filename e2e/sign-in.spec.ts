import { expect, type Page } from '@playwright/test';
import { signUpByHand } from './athlete.ts';
import { test } from './fixtures.ts';
import { createAccount, openForm, openVisitor, submitForm } from './visitor.ts';

const CALLBACK_CALL = '**/v1/auth/oauth/callback/cognito';
/** How long a sign-in that failed is shown before the way back to /login. */
const FAILURE_SHOWN_MS = 2_000;

/** Every address that this tab has in its history. */
async function readHistory(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify(navigation.entries().map((entry) => entry.url)));
}

for (const { locale, cancelled, no_code, unknown } of [
  {
    locale: 'en-GB',
    cancelled: 'The sign-in was cancelled.',
    no_code: 'No authorization code received',
    unknown: 'Authentication failed',
  },
  {
    locale: 'es-ES',
    cancelled: 'Se ha cancelado el inicio de sesión.',
    no_code: 'No se ha recibido el código de autorización',
    unknown: 'No se ha podido verificar tu identidad',
  },
]) {
  test(`the callback takes an error and a missing code to /login, which says it in ${locale} [spec 2.callback.error, 2.callback.no-code, 2.callback.params]`, async ({
    browser,
    server,
  }) => {
    const page = await openVisitor(browser, server, locale);
    await page.goto('/auth/callback?error=access_denied&error_description=whatever&state=s');
    await expect(page).toHaveURL(`${server.url}/login?error=access_denied`);
    await expect(page.getByRole('alert')).toHaveText(cancelled);
    await page.goto('/auth/callback?state=s');
    await expect(page).toHaveURL(`${server.url}/login?error=No%20authorization%20code%20received`);
    await expect(page.getByRole('alert')).toHaveText(no_code);
    await page.goto(`/login?error=${encodeURIComponent('Call 555-0100 to unlock your account')}`);
    await expect(page.getByRole('alert')).toHaveText(unknown);
    await page.context().close();
  });
}

for (const { locale, completing, processing, failed, reason } of [
  {
    locale: 'en-GB',
    completing: 'Completing Sign In...',
    processing: 'Processing your authentication...',
    failed: 'Authentication Failed',
    reason: 'This sign-in is no longer valid. Please start again.',
  },
  {
    locale: 'es-ES',
    completing: 'Terminando de iniciar sesión...',
    processing: 'Comprobando tus datos...',
    failed: 'No se ha podido iniciar sesión',
    reason: 'Este inicio de sesión ya no es válido. Empieza de nuevo.',
  },
]) {
  test(`the callback says what it does, and that it failed, then goes to /login with the reason, in ${locale}; the code is nowhere in the history [spec 2.callback.completing, 2.callback.processing, 2.callback.failed, 2.callback.failed-wait]`, async ({
    browser,
    server,
  }) => {
    const page = await openVisitor(browser, server, locale);
    // What failed is shown for 2 s: its clock stands still, so that they are not over before anybody has looked.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const answer = Promise.withResolvers<void>();
    await page.route(CALLBACK_CALL, async (route) => {
      await answer.promise;
      await route.continue();
    });
    await page.goto('/auth/callback?code=forged-code&state=forged-state');
    await expect(page.getByRole('heading', { name: completing })).toBeVisible();
    await expect(page.getByText(processing)).toBeVisible();
    await expect(page).toHaveURL(`${server.url}/auth/callback`);
    answer.resolve();
    await expect(page.getByRole('heading', { name: failed })).toBeVisible();
    await expect(page.getByText(reason)).toBeVisible();
    await page.clock.runFor(FAILURE_SHOWN_MS);
    await expect(page).toHaveURL(`${server.url}/login?error=oauth_state_invalid`);
    await expect(page.getByRole('alert')).toHaveText(reason);
    expect(await readHistory(page)).not.toContain('forged');
    await page.context().close();
  });
}

test('after the provider the browser stands in the app, with the code in no entry of its history [spec 2.callback.success, 4.provider.register, 4.provider.callback, 1.sign-in.provider]', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUpByHand(browser, server, 'Vera');
  expect(await readHistory(page)).not.toMatch(/[?&](code|state)=/);
  await context.close();
});

test('a visitor of /profile signs in with e-mail and password in place and stands on /profile; a return path of somebody else’s making is not followed [spec 1.sign-in.direct, 2.access.origin]', async ({
  browser,
  server,
}) => {
  const account = await createAccount(server, 'Paula');
  for (const [planted, end] of [
    [null, '/profile'],
    ['//evil.test/x', '/dashboard'],
    ['/%5cevil.test', '/dashboard'],
    ['javascript:alert(1)', '/dashboard'],
  ] as const) {
    const page = await openVisitor(browser, server);
    await page.goto('/profile');
    await expect(page).toHaveURL(/\/login$/);
    const kept = JSON.stringify({ path: planted, user_id: null });
    if (planted !== null) await page.evaluate((value) => sessionStorage.setItem('return-path', value), kept);
    await openForm(page);
    await submitForm(page, account);
    await expect(page).toHaveURL(server.url + end);
    await page.context().close();
  }
});

test('the form checks what was typed, stands whole in sight, and says what was wrong [spec 5.form.fields, 8.auth.login-server]', async ({
  browser,
  server,
}) => {
  const account = await createAccount(server, 'Rosa');
  const page = await openVisitor(browser, server);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/auth/login')) sent.push(request.postData() ?? '');
  });
  await page.goto('/login');
  const primary = page.getByRole('button', { name: 'Sign in', exact: true });
  await expect(primary).toBeVisible();
  const before = await primary.boundingBox();
  await expect(page.getByRole('button', { name: 'Use e-mail and password here' })).toBeVisible();
  expect(await primary.boundingBox()).toEqual(before);
  await openForm(page);
  await expect(primary).toBeInViewport({ ratio: 1 });
  const password = page.getByLabel('Password', { exact: true });
  await password.fill('seen');
  const eye = page.getByRole('button', { name: 'Show password' });
  await eye.click();
  await expect(eye).toHaveAttribute('aria-pressed', 'true');
  await expect(password).toHaveAttribute('type', 'text');
  await eye.click();
  await expect(password).toHaveAttribute('type', 'password');

  await submitForm(page, { email: 'rosa', password: '' });
  await expect(page.getByText('This is not a complete e-mail address.')).toBeVisible();
  await expect(page.getByText('Type your password.')).toBeVisible();
  await expect(page.getByLabel('E-mail')).toBeFocused();
  expect(sent).toEqual([]);
  await submitForm(page, { ...account, password: 'not my password' });
  await expect(page.getByRole('alert')).toHaveText('The e-mail or the password is wrong.');
  await expect(page).toHaveURL(/\/login$/);
  await page.getByRole('button', { name: 'Español' }).click();
  await expect(page.getByRole('alert')).toHaveText('El correo o la contraseña no son correctos.');
  await page.getByRole('button', { name: 'English' }).click();

  await page.route('**/v1/auth/login', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '90' },
      json: { success: false, code: 'too_many_requests' },
    }),
  );
  await submitForm(page, account);
  await expect(page.getByRole('alert')).toHaveText('Too many attempts. Try again in 2 minutes.');
  await page.unroute('**/v1/auth/login');
  await page.context().setOffline(true);
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeDisabled();
  await page.context().setOffline(false);
  await submitForm(page, account);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.context().close();
});

test('the form is offered only where the server takes passwords', async ({ browser, server }) => {
  const page = await openVisitor(browser, server);
  const ways = { provider: 'cognito', own_provider: false, password_login: false, password_reset: false };
  const answered = page.waitForResponse('**/v1/auth/config');
  await page.route('**/v1/auth/config', (route) => route.fulfill({ json: { success: true, data: ways } }));
  await page.goto('/login');
  await answered;
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled();
  await expect(page.getByRole('button', { name: 'Use e-mail and password here' })).toHaveCount(0);
  await page.context().close();
});

test('what the server says about its way in is told on /login and /register, and pressing again helps [spec 8.auth.register-failed]', async ({
  browser,
  server,
}) => {
  const page = await openVisitor(browser, server);
  const authorize = '**/v1/auth/oauth/authorize/**';
  await page.route(authorize, (route) => route.fulfill({ status: 418, body: '' }));
  await page.goto('/register');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('alert')).toHaveText('Registration failed');
  await page.unroute(authorize);
  await page.route(authorize, (route) => route.fulfill({ json: { success: true, data: { state: 's' } } }));
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText('No authorization URL received from backend');
  await page.unroute(authorize);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/oidc\//);
  await page.context().close();
});
