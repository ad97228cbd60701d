import { authorize, completeSignIn, getAuthConfig, getMe, login, refresh } from '@sendlap/contract/auth.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { createBrowser, type TestBrowser } from '#test/app/browser.ts';
import { bearer, dataOf, PASSWORD, refusalOf, signUp } from '#test/app/sign-in.ts';
import { createBrowserKey } from '#test/browser-key.ts';

const REFRESH = '__Host-sendlap_refresh';

let test_app: TestApp;
beforeAll(async () => {
  test_app = await buildTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => test_app.close());

let addresses = 0;
/** Each browser has its own address, so that only the limit under test applies. */
function newBrowser(own_address?: string) {
  addresses += 1;
  const address = own_address ?? `198.51.100.${addresses}`;
  const browser = createBrowser(test_app.app);
  const post = (json: object, headers: Record<string, string> = {}) =>
    browser.request(login.path, { method: 'POST', json, headers: { 'x-forwarded-for': address, ...headers } });
  return { ...browser, post };
}

describe('the direct sign-in refuses', () => {
  test('a wrong password and an unknown e-mail with one answer', async () => {
    await signUp(createBrowser(test_app.app), 'wrong@example.org');
    const browser = newBrowser();
    const wrong = await browser.post({ email: 'wrong@example.org', password: 'not this one' });
    const unknown = await browser.post({ email: 'unknown@example.org', password: PASSWORD });
    const no_email = await browser.post({ email: 'nul@example', password: PASSWORD });
    const too_long = await browser.post({ email: 'wrong@example.org', password: 'x'.repeat(1024) });
    expect(refusalOf(wrong)).toEqual([401, 'credentials_wrong']);
    for (const other of [unknown, no_email, too_long]) {
      expect([other.statusCode, other.body]).toEqual([wrong.statusCode, wrong.body]);
    }
    expect(browser.cookies.size).toBe(0);
  });

  test.each([
    [{}],
    [{ email: 'a@example.org' }],
    [{ password: PASSWORD }],
    [{ email: '', password: PASSWORD }],
    [{ email: 'a@example.org', password: '' }],
    [{ email: ['a@example.org'], password: PASSWORD }],
    [{ email: 'a@example.org', password: 12345678 }],
    [{ email: 'a@example.org', password: 'x'.repeat(1025) }],
    [{ email: 'a@example.org', password: PASSWORD, remember: true }],
  ])('the body %j', async (body) => {
    expect(refusalOf(await newBrowser().post(body))).toEqual([400, 'validation_failed']);
  });

  test('pages of other sites, also with the right password, and lets them start nothing', async () => {
    await signUp(createBrowser(test_app.app), 'site@example.org');
    const browser = newBrowser();
    const strangers: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost:8000.evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of strangers) {
      const reply = await browser.post({ email: 'site@example.org', password: PASSWORD }, headers);
      expect(refusalOf(reply)).toEqual([400, 'origin_not_allowed']);
    }
    expect(browser.cookies.size).toBe(0);
  });

  test('the sixth attempt of a minute on an account, known or not, and says when to come back', async () => {
    await signUp(createBrowser(test_app.app), 'sixth@example.org');
    for (const email of ['sixth@example.org', 'absent@example.org']) {
      const statuses = [];
      for (let attempt = 1; attempt <= 5; attempt += 1) {
        statuses.push((await newBrowser().post({ email: email.toUpperCase(), password: 'not this one' })).statusCode);
      }
      expect(statuses).toEqual([401, 401, 401, 401, 401]);
      const sixth = await newBrowser().post({ email, password: PASSWORD });
      expect(refusalOf(sixth)).toEqual([429, 'too_many_requests']);
      expect(sixth.headers['retry-after']).toBe('60');
    }
  });

  test('the 21st attempt of a minute from an address, whatever the account', async () => {
    const statuses = [];
    const attempt = (count: number) =>
      newBrowser('203.0.113.7').post({ email: `person${count}@example.org`, password: 'not this one' });
    for (let count = 1; count <= 20; count += 1) statuses.push((await attempt(count)).statusCode);
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(refusalOf(await attempt(21))).toEqual([429, 'too_many_requests']);
    const elsewhere = await newBrowser().post({ email: 'person22@example.org', password: 'not this one' });
    expect(elsewhere.statusCode).toBe(401);
  });
});

describe('the direct sign-in', () => {
  test('gives user, tokens and the refresh cookie of one session [spec 7.auth.login, 7.auth.login-reply]', async () => {
    const made = await signUp(createBrowser(test_app.app), 'direct@example.org');
    const browser = newBrowser();
    const reply = await browser.post({ email: ' Direct@Example.org', password: PASSWORD });
    expect(reply.statusCode).toBe(200);
    expect(dataOf(reply)).toEqual({
      user: dataOf(made).user,
      tokens: { access_token: expect.any(String), expires_in: 600 },
    });
    const cookie = reply.cookies.find(({ name }) => name === REFRESH);
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict', path: '/' });
    expect(reply.headers['cache-control']).toBe('no-store');
    expect((await browser.request(getMe.path, bearer(reply))).statusCode).toBe(200);
    expect((await browser.request(refresh.path, { method: 'POST' })).statusCode).toBe(200);
    const sessions = await test_app.database
      .selectFrom('sessions')
      .select('device_name')
      .where('user_id', '=', dataOf(made).user.id)
      .execute();
    expect(sessions).toEqual([{ device_name: 'Chrome, Android' }, { device_name: 'Chrome, Android' }]);
  });

  test('ends the session that the browser had before, and forgets the typing errors', async () => {
    await signUp(createBrowser(test_app.app), 'again@example.org');
    const browser = newBrowser();
    const right = { email: 'again@example.org', password: PASSWORD };
    const before = await browser.post(right);
    // From browsers new to the account, then from one that has its own attempts.
    for (const open of [newBrowser, newBrowser, () => browser, () => browser]) {
      for (let error = 0; error < 4; error += 1) {
        expect((await open().post({ ...right, password: 'not this one' })).statusCode).toBe(401);
      }
      expect((await open().post(right)).statusCode).toBe(200);
    }
    expect((await browser.request(getMe.path, bearer(before))).statusCode).toBe(401);
  });

  test('makes the user of an account whose sign-up never came back to the app', async () => {
    const browser = newBrowser();
    const search = new URLSearchParams({ redirect_uri: 'http://localhost:8000/auth/callback', signup: 'true' });
    const begun = dataOf(await browser.request(`${authorize.path}?${search}`));
    const page = String((await browser.request(begun.authorization_url)).headers.location);
    const form = { email: 'half@example.org', display_name: 'Half', password: PASSWORD };
    expect((await browser.request(`${page}/sign-up`, { method: 'POST', form })).statusCode).toBe(303);
    const reply = await browser.post({ email: 'half@example.org', password: PASSWORD });
    expect(dataOf(reply).user).toMatchObject({ name: 'Half', email: 'half@example.org' });
  });

  test('is open to callers that are no browser, and accepts each encoding of é', async () => {
    const [composed, decomposed] = ['escalada en Alé', 'escalada en Ale\u0301'];
    const browser = createBrowser(test_app.app);
    const begun = dataOf(
      await browser.request(
        `${authorize.path}?redirect_uri=${encodeURIComponent('http://localhost:8000/auth/callback')}`,
      ),
    );
    const page = String((await browser.request(begun.authorization_url)).headers.location);
    const form = { email: 'accent@example.org', display_name: 'É', password: composed };
    await browser.request(`${page}/sign-up`, { method: 'POST', form });
    const reply = await test_app.app.inject({
      method: 'POST',
      url: login.path,
      headers: { 'x-forwarded-for': '198.51.100.250' },
      payload: { email: 'accent@example.org', password: decomposed },
    });
    expect(reply.statusCode).toBe(200);
  });

  test('is open to the owner of a locked account, with a session that is locked', async () => {
    const made = await signUp(createBrowser(test_app.app), 'locked@example.org');
    await test_app.database
      .updateTable('users')
      .set({ is_active: false, erase_after: new Date(Date.now() + 86_400_000) })
      .where('id', '=', dataOf(made).user.id)
      .execute();
    const browser = newBrowser();
    const reply = await browser.post({ email: 'locked@example.org', password: PASSWORD });
    expect(reply.statusCode).toBe(200);
    expect(dataOf(reply).user.is_active).toBe(false);
    expect((await browser.request(getMe.path, bearer(reply))).statusCode).toBe(200);
    const other = await browser.request('/v1/users/settings', bearer(reply));
    expect(refusalOf(other)).toEqual([409, 'account_locked']);
  });
});

test('the sign-in methods of the own provider include the password, and no reset without a mail server', async () => {
  const reply = await test_app.app.inject(getAuthConfig.path);
  expect(reply.json().data).toEqual({
    provider: 'cognito',
    own_provider: true,
    password_login: true,
    password_reset: false,
    sign_up: true,
  });
});

test('both ways in bind the session to the key of the browser, and a proof of another call begins none', async () => {
  const key = await createBrowserKey();
  const prove = (path: string) => key.prove({ htm: 'POST', htu: `http://localhost:8000${path}`, iat: now_s() });
  const refresh_options = async () => ({ method: 'POST' as const, headers: { dpop: await prove(refresh.path) } });
  const asks = async (browser: Pick<TestBrowser, 'request'>) => {
    const known = await browser.request(refresh.path, await refresh_options());
    const stolen = await browser.request(refresh.path, { method: 'POST' });
    return [known.statusCode, stolen.statusCode];
  };
  const provider = createBrowser(test_app.app);
  const email = 'bound@example.org';
  expect((await signUp(provider, email, { dpop: await prove(completeSignIn.path) })).statusCode).toBe(200);
  expect(await asks(provider)).toEqual([200, 401]);
  const browser = newBrowser();
  const wrong = await browser.post({ email, password: PASSWORD }, { dpop: await prove(refresh.path) });
  expect([...refusalOf(wrong), browser.cookies.size]).toEqual([400, 'bad_request', 0]);
  await browser.post({ email, password: PASSWORD }, { dpop: await prove(login.path) });
  expect(await asks(browser)).toEqual([200, 401]);
});

const now_s = () => Math.floor(Date.now() / 1000);
