import { authorize, getMe, logout } from '@sendlap/contract/auth.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { createBrowser } from '#test/app/browser.ts';
import {
  bearer,
  begin,
  CALLBACK,
  complete,
  dataOf,
  followBack,
  openPage,
  PASSWORD,
  refusalOf,
  signUp,
} from '#test/app/sign-in.ts';

const MINUTE_MS = 60_000;
const REFRESH = '__Host-sendlap_refresh';

let clock_ms = 0;
let test_app: TestApp;
beforeAll(async () => {
  test_app = await buildTestApp({ now: () => new Date(Date.now() + clock_ms) });
});
afterAll(() => test_app.close());

describe('authorize refuses', () => {
  test.each([
    'http://localhost:8000/auth/callback/',
    'http://localhost:8000/auth/callback?next=/',
    'http://localhost:8000/auth/callback#x',
    'http://localhost:8000/AUTH/callback',
    'http://localhost:8000/auth/callback/../evil',
    'http://localhost:8000/auth%2Fcallback',
    'http://localhost:8000//auth/callback',
    'http://localhost:8000@evil.example/auth/callback',
    'http://localhost:8000.evil.example/auth/callback',
    'http://localhost:8001/auth/callback',
    'http://127.0.0.1:8000/auth/callback',
    'https://localhost:8000/auth/callback',
    'https://evil.example/auth/callback',
    '//localhost:8000/auth/callback',
    '/auth/callback',
    'javascript:alert(1)',
    ' http://localhost:8000/auth/callback',
  ])('the redirect address %s', async (redirect_uri) => {
    const reply = await createBrowser(test_app.app).request(
      `${authorize.path}?${new URLSearchParams({ redirect_uri })}`,
    );
    expect(reply.statusCode).toBe(400);
    expect(reply.json().code).toBe('redirect_uri_not_allowed');
  });

  test.each(['', 'redirect_uri=', 'redirect_uri=a&redirect_uri=b', `redirect_uri=${CALLBACK}&extra=1`])(
    'the query "%s"',
    async (query) => {
      const reply = await createBrowser(test_app.app).request(`${authorize.path}?${query}`);
      expect(reply.statusCode).toBe(400);
    },
  );
});

describe('the callback refuses', () => {
  test('a body without state, or without code', async () => {
    const browser = createBrowser(test_app.app);
    const { state } = await begin(browser);
    expect(refusalOf(await complete(browser, { code: 'x' }))).toEqual([400, 'validation_failed']);
    expect(refusalOf(await complete(browser, { state }))).toEqual([400, 'validation_failed']);
  });

  test('a state that was never given', async () => {
    const browser = createBrowser(test_app.app);
    await begin(browser);
    expect(refusalOf(await complete(browser, { code: 'x', state: 'made-up' }))).toEqual([400, 'oauth_state_invalid']);
  });

  test('a state begun in another browser, and a browser without the cookie', async () => {
    const victim = createBrowser(test_app.app);
    const attacker = createBrowser(test_app.app);
    await begin(victim);
    const { state } = await begin(attacker);
    expect(refusalOf(await complete(victim, { code: 'x', state }))).toEqual([400, 'oauth_state_invalid']);
    const again = await begin(attacker);
    attacker.cookies.clear();
    expect(refusalOf(await complete(attacker, { code: 'x', state: again.state }))).toEqual([
      400,
      'oauth_state_invalid',
    ]);
  });

  test('a wrong verifier, where the right one is refused for its code only', async () => {
    const browser = createBrowser(test_app.app);
    const wrong = await begin(browser);
    const reply = await complete(browser, { code: 'x', state: wrong.state, code_verifier: 'w'.repeat(43) });
    expect(refusalOf(reply)).toEqual([400, 'oauth_state_invalid']);
    const right = await begin(browser);
    const { state, code_verifier } = right;
    expect(refusalOf(await complete(browser, { code: 'x', state, code_verifier }))).toEqual([400, 'oauth_failed']);
  });

  test('a state for the second time, also when the first use failed', async () => {
    const browser = createBrowser(test_app.app);
    const { state, code_verifier } = await begin(browser);
    const body = { code: 'x', state, code_verifier };
    expect(refusalOf(await complete(browser, body))).toEqual([400, 'oauth_failed']);
    expect(refusalOf(await complete(browser, body))).toEqual([400, 'oauth_state_invalid']);
  });

  test('a state that is older than 10 minutes', async () => {
    const browser = createBrowser(test_app.app);
    const { state, code_verifier } = await begin(browser);
    clock_ms = 10 * MINUTE_MS + 1_000;
    const reply = await complete(browser, { code: 'x', state, code_verifier });
    clock_ms = 0;
    expect(refusalOf(reply)).toEqual([400, 'oauth_state_invalid']);
  });

  test('an issuer that is not the configured one, a code of another sign-in, and a used code', async () => {
    const browser = createBrowser(test_app.app);
    const first = await begin(browser, { signup: 'true' });
    const { path } = await openPage(browser, first);
    const form = { email: 'mix@example.org', display_name: 'Mix', password: PASSWORD };
    const back = await followBack(browser, await browser.request(`${path}/sign-up`, { method: 'POST', form }));
    const second = await begin(browser);
    expect(refusalOf(await complete(browser, { code: back.code, state: second.state }))).toEqual([400, 'oauth_failed']);
    const mixed_up = { ...back, code_verifier: first.code_verifier, iss: 'https://evil.example' };
    expect(refusalOf(await complete(browser, mixed_up))).toEqual([400, 'oauth_failed']);
    expect(browser.cookies.has(REFRESH)).toBe(false);
  });
});

describe('a sign-in through the own provider', () => {
  test('makes an account with the defaults of the spec and a session that reads itself', async () => {
    const browser = createBrowser(test_app.app);
    const reply = await signUp(browser, 'ada@example.org');
    expect(reply.statusCode).toBe(200);
    const { user, tokens } = dataOf(reply);
    expect(user).toMatchObject({
      email: 'ada@example.org',
      name: 'Ada L.',
      age: 0,
      weight_kg: 0,
      height_cm: 0,
      is_active: true,
    });
    expect(user.public_id).toMatch(/^sl-[2-9b-z]{10}$/);
    expect(tokens.expires_in).toBe(600);
    const cookie = reply.cookies.find(({ name }) => name === REFRESH);
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict', path: '/' });
    const me = await browser.request(getMe.path, bearer(reply));
    expect(dataOf(me)).toEqual({ user });
    const row = await test_app.database
      .selectFrom('users')
      .selectAll()
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    expect(row.display_name).toBe('Ada L.');
    const session = await test_app.database.selectFrom('sessions').selectAll().where('user_id', '=', user.id).execute();
    expect(session.map(({ device_name }) => device_name)).toEqual(['Chrome, Android']);
  });

  test('after sign-out asks for the password again and finds the same account', async () => {
    const browser = createBrowser(test_app.app);
    const first = await signUp(browser, 'grace@example.org');
    const left = await browser.request(logout.path, { method: 'POST' });
    expect(dataOf(left)).toEqual({ logout_url: null });
    expect(browser.cookies.has(REFRESH)).toBe(false);
    expect((await browser.request(getMe.path, bearer(first))).statusCode).toBe(401);

    const begun = await begin(browser);
    const { path, page } = await openPage(browser, begun);
    expect(page.body).toContain('autocomplete="current-password"');
    const wrong = { email: 'Grace@example.org', password: 'not this one' };
    const refused = await browser.request(`${path}/sign-in`, { method: 'POST', form: wrong });
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toContain('role="alert"');
    expect(refused.body).toContain('value="Grace@example.org"');
    const form = { email: 'Grace@example.org', password: PASSWORD };
    const back = await followBack(browser, await browser.request(`${path}/sign-in`, { method: 'POST', form }));
    const second = await complete(browser, back);
    expect(second.statusCode).toBe(200);
    expect(dataOf(second).user.id).toBe(dataOf(first).user.id);
  });

  test('as another user ends the browser’s previous session', async () => {
    const browser = createBrowser(test_app.app);
    const before = await signUp(browser, 'first@example.org');
    const after = await signUp(browser, 'second@example.org');
    expect(dataOf(after).user.id).not.toBe(dataOf(before).user.id);
    expect((await browser.request(getMe.path, bearer(before))).statusCode).toBe(401);
    expect((await browser.request(getMe.path, bearer(after))).statusCode).toBe(200);
  });

  test('begins with the form that the person sends, at no step before it: no earlier sign-in is remembered', async () => {
    const browser = createBrowser(test_app.app);
    const { user } = dataOf(await signUp(browser, 'asked@example.org'));
    const known = browser.cookies.get(REFRESH);
    const { authorization_url } = await begin(browser);
    const { page } = await openPage(browser, await begin(browser));
    expect(page.body).toContain('autocomplete="current-password"');
    const silent = await browser.request(`${authorization_url}&prompt=none`);
    const { searchParams } = new URL(String(silent.headers.location));
    expect([searchParams.get('error'), searchParams.has('code')]).toEqual(['login_required', false]);
    expect(browser.cookies.get(REFRESH)).toEqual(known);
    const sessions = test_app.database.selectFrom('sessions').select('id').where('user_id', '=', user.id);
    expect(await sessions.execute()).toHaveLength(1);
  });

  test('works from the app of another node that shares the database, and outlives a restart', async () => {
    const browser = createBrowser(test_app.app);
    const reply = await signUp(browser, 'node@example.org');
    const other = await buildTestApp({ database_url: test_app.database_url });
    const elsewhere = createBrowser(other.app);
    for (const [name, cookie] of browser.cookies) elsewhere.cookies.set(name, cookie);
    expect((await elsewhere.request(getMe.path, bearer(reply))).statusCode).toBe(200);
    expect((await elsewhere.request('/v1/auth/refresh', { method: 'POST' })).statusCode).toBe(200);
    await other.close();
  });
});
