import { authorize, getAuthConfig, getMe, login, logout, refresh } from '@sendlap/contract/auth.ts';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { createBrowser, type TestBrowser } from '#test/app/browser.ts';
import { bearer, begin, CALLBACK, complete, dataOf, readCallback, refusalOf } from '#test/app/sign-in.ts';
import {
  createOutsideBrowser,
  type ExternalIssuer,
  type OutsideBrowser,
  startExternalIssuer,
} from '#test/servers/external-issuer.ts';

const people = { nameless: { email: 'nameless.one@elsewhere.example' }, unknown: {}, mailless: { name: 'Ana' } };

let external: ExternalIssuer;
let test_app: TestApp;
beforeAll(async () => {
  external = await startExternalIssuer({ people, announces_create: true });
  test_app = await buildTestApp({ env: external.env });
});
afterAll(async () => {
  await test_app.close();
  await external.close();
});
afterEach(() => {
  external.mood = 'well';
});

/** authorize → the issuer's own form → callback → session. */
async function signIn(browser: TestBrowser, outside: OutsideBrowser, login_name: string, query = {}) {
  const begun = await begin(browser, query);
  const { address, forms } = await outside.walk(begun.authorization_url, login_name);
  const reply = await complete(browser, { ...readCallback(address), code_verifier: begun.code_verifier });
  expect(reply.statusCode).toBe(200);
  return { reply, forms };
}

describe('with an external issuer', () => {
  test('the direct sign-in is refused with the name of the provider’s sign-in, and the app reads it', async () => {
    const browser = createBrowser(test_app.app);
    const json = { email: 'grace@elsewhere.example', password: 'any password' };
    const reply = await browser.request(login.path, { method: 'POST', json });
    expect(refusalOf(reply)).toEqual([409, 'password_login_unavailable']);
    expect(reply.json().message).toContain(`GET ${authorize.path}`);
    expect(reply.headers['set-cookie']).toBeUndefined();
    expect(dataOf(await browser.request(getAuthConfig.path))).toEqual({
      provider: 'cognito',
      own_provider: false,
      password_login: false,
      password_reset: false,
      sign_up: true,
    });
    expect((await browser.request('/oidc/forgot')).statusCode).toBe(404);
  });

  test('a person signs in all the way and is the same one next time, by issuer and subject', async () => {
    const browser = createBrowser(test_app.app);
    const outside = createOutsideBrowser();
    const { reply, forms } = await signIn(browser, outside, 'grace');
    expect(forms).toEqual(['login']);
    const { user } = dataOf(reply);
    expect(user).toMatchObject({ email: 'grace@elsewhere.example', name: 'Grace Hopper', is_active: true });
    expect(dataOf(await browser.request(getMe.path, bearer(reply)))).toEqual({ user });
    const again = await signIn(createBrowser(test_app.app), createOutsideBrowser(), 'grace');
    expect(dataOf(again.reply).user.id).toBe(user.id);
    const identity = await test_app.database
      .selectFrom('identities')
      .select(['issuer', 'subject'])
      .where('user_id', '=', user.id)
      .execute();
    expect(identity).toEqual([{ issuer: external.issuer, subject: 'grace' }]);
  });

  test('the same subject of another issuer is another person, with the same e-mail too', async () => {
    const { reply } = await signIn(createBrowser(test_app.app), createOutsideBrowser(), 'grace');
    const impostor = await startExternalIssuer({ people });
    onTestFinished(() => impostor.close());
    const moved = await buildTestApp({ env: impostor.env, database_url: test_app.database_url });
    onTestFinished(() => moved.close());
    const other = await signIn(createBrowser(moved.app), createOutsideBrowser(), 'grace');
    expect(dataOf(other.reply).user.email).toBe(dataOf(reply).user.email);
    expect(dataOf(other.reply).user.id).not.toBe(dataOf(reply).user.id);
  });

  test('sign-up begins at the page for it', async () => {
    const { forms } = await signIn(createBrowser(test_app.app), createOutsideBrowser(), 'new', { signup: 'true' });
    expect(forms).toContain('create');
  });

  test('a missing e-mail is empty [spec 3.user.email-empty]', async () => {
    const { reply } = await signIn(createBrowser(test_app.app), createOutsideBrowser(), 'mailless');
    expect(dataOf(reply).user).toMatchObject({ email: '', name: 'Ana' });
  });

  test('a missing name is the first part of the e-mail [spec 3.user.name-from-email]', async () => {
    const { reply } = await signIn(createBrowser(test_app.app), createOutsideBrowser(), 'nameless');
    expect(dataOf(reply).user.name).toBe('nameless.one');
  });

  test('without either the name is User [spec 3.user.name-fallback]', async () => {
    const { reply } = await signIn(createBrowser(test_app.app), createOutsideBrowser(), 'unknown');
    expect(dataOf(reply).user).toMatchObject({ email: '', name: 'User' });
  });

  test('the owner of a locked account gets in, with a session that is locked', async () => {
    const { reply } = await signIn(createBrowser(test_app.app), createOutsideBrowser(), 'locked');
    await test_app.database
      .updateTable('users')
      .set({ is_active: false, erase_after: new Date(Date.now() + 86_400_000) })
      .where('id', '=', dataOf(reply).user.id)
      .execute();
    const browser = createBrowser(test_app.app);
    const second = await signIn(browser, createOutsideBrowser(), 'locked');
    expect(dataOf(second.reply).user.is_active).toBe(false);
    const settings = await browser.request('/v1/users/settings', bearer(second.reply));
    expect(refusalOf(settings)).toEqual([409, 'account_locked']);
  });
});

describe('after signing out of an external issuer that remembers the person', () => {
  test('the browser is sent to its sign-out, and the next sign-in asks for the password', async () => {
    const browser = createBrowser(test_app.app);
    const outside = createOutsideBrowser();
    await signIn(browser, outside, 'ada');
    // Proof that the issuer does remember: without a sign-out it does not ask again.
    expect((await signIn(browser, outside, 'ada')).forms).toEqual([]);

    const left = await browser.request(logout.path, { method: 'POST' });
    const url = new URL(dataOf(left).logout_url);
    expect(url.origin).toBe(external.issuer);
    expect(url.searchParams.get('client_id')).toBe('sendlap-test');
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe('http://localhost:8000/login');
    expect(browser.cookies.has('__Host-sendlap_refresh')).toBe(false);

    // The provider asks again, whether or not the browser reached the logout address.
    const { reply, forms } = await signIn(browser, outside, 'ada');
    expect(forms).toEqual(['login']);
    expect(dataOf(reply).user.name).toBe('Grace Hopper');
    expect(browser.cookies.has('__Host-sendlap_signed_out')).toBe(false);
    expect((await signIn(browser, outside, 'ada')).forms).toEqual([]);
  });

  test('a sign-in that fails does not count as one: the next one still asks for the password', async () => {
    const browser = createBrowser(test_app.app);
    const outside = createOutsideBrowser();
    await signIn(browser, outside, 'bea');
    await browser.request(logout.path, { method: 'POST' });
    const begun = await begin(browser);
    expect(refusalOf(await complete(browser, { code: 'x', state: begun.state }))).toEqual([400, 'oauth_failed']);
    expect((await signIn(browser, outside, 'bea')).forms).toEqual(['login']);
  });
});

describe.each(['down', 'rubbish', 'slow'] as const)('an issuer that is %s', (mood) => {
  test('is reported as unavailable, signs no user out, and lets people in again afterwards', {
    timeout: 60_000,
  }, async () => {
    const browser = createBrowser(test_app.app);
    const { reply } = await signIn(browser, createOutsideBrowser(), 'stays');
    const begun = await begin(browser);
    const { address } = await createOutsideBrowser().walk(begun.authorization_url, 'stays');

    external.mood = mood;
    const limits_ms = shortenTimeouts();
    const restarted = await buildTestApp({ env: external.env, database_url: test_app.database_url });
    const elsewhere = createBrowser(restarted.app);
    const search = new URLSearchParams({ redirect_uri: CALLBACK });
    const began = await elsewhere.request(`${authorize.path}?${search}`);
    expect(refusalOf(began)).toEqual([503, 'provider_unavailable']);
    expect(began.headers['retry-after']).toBe('5');
    const completed = await complete(browser, readCallback(address));
    expect(refusalOf(completed)).toEqual([503, 'provider_unavailable']);

    expect((await browser.request(getMe.path, bearer(reply))).statusCode).toBe(200);
    for (let round = 0; round < 3; round += 1) {
      expect((await browser.request(refresh.path, { method: 'POST' })).statusCode).toBe(200);
    }
    for (const [name, cookie] of browser.cookies) elsewhere.cookies.set(name, cookie);
    expect((await elsewhere.request(refresh.path, { method: 'POST' })).statusCode).toBe(200);

    external.mood = 'well';
    expect((await elsewhere.request(`${authorize.path}?${search}`)).statusCode).toBe(200);
    expect((await signIn(browser, createOutsideBrowser(), 'stays')).reply.statusCode).toBe(200);

    external.mood = mood;
    const left = await browser.request(logout.path, { method: 'POST' });
    expect(left.statusCode).toBe(200);
    expect((await browser.request(refresh.path, { method: 'POST' })).statusCode).toBe(401);
    await restarted.close();
    expect(new Set(limits_ms)).toEqual(new Set([5_000]));
  });
});

/** Waits for a slow issuer 50 ms in place of the app's limit. Returns the app's limits in ms. */
function shortenTimeouts(): number[] {
  const limits_ms: number[] = [];
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((limit_ms) => {
    limits_ms.push(limit_ms);
    return timeout(external.mood === 'slow' ? 50 : limit_ms);
  });
  onTestFinished(() => spy.mockRestore());
  return limits_ms;
}
