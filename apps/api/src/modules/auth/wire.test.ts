import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEpoch } from '#api/database/epoch.ts';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { createBrowser, type TestBrowser } from '#test/app/browser.ts';
import { dataOf, followBack, PASSWORD } from '#test/app/sign-in.ts';

/** The calls as the spec writes them: by address, not by the contract that server and app share. */
const AUTHORIZE = '/v1/auth/oauth/authorize/cognito';
const CALLBACK = '/v1/auth/oauth/callback/cognito';
const REDIRECT_URI = 'http://localhost:8000/auth/callback';
const PKCE = `redirect_uri=${encodeURIComponent(REDIRECT_URI)}&use_pkce=true`;

let test_app: TestApp;
beforeAll(async () => {
  test_app = await buildTestApp();
});
afterAll(() => test_app.close());

let people = 0;

/** Signs in up to the point where the app's callback page would call the server. */
async function comeBack(browser: TestBrowser) {
  people += 1;
  const begun = dataOf(await browser.request(`${AUTHORIZE}?${PKCE}&signup=true`));
  const page = String((await browser.request(begun.authorization_url)).headers.location);
  const form = { email: `person${people}@example.org`, display_name: 'Ada', password: PASSWORD };
  const back = await followBack(browser, await browser.request(`${page}/sign-up`, { method: 'POST', form }));
  return { ...back, code_verifier: String(begun.code_verifier) };
}

async function signIn(browser: TestBrowser) {
  return browser.request(CALLBACK, { method: 'POST', json: await comeBack(browser) });
}

describe('authorize', () => {
  test('replies the address, our proof and the state, and nothing else [spec 7.auth.authorize, 7.auth.authorize-query, 7.auth.authorize-reply]', async () => {
    const reply = await createBrowser(test_app.app).request(`${AUTHORIZE}?${PKCE}`);
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toEqual({
      success: true,
      data: {
        authorization_url: expect.stringMatching(/^http:\/\/localhost:8000\/oidc\/auth\?/),
        code_verifier: expect.stringMatching(/^[\w-]{43}$/),
        state: expect.stringMatching(/^[\w-]{43}$/),
      },
    });
    const { authorization_url, code_verifier, state } = dataOf(reply);
    const { searchParams } = new URL(authorization_url);
    expect([searchParams.get('code_challenge_method'), searchParams.get('state')]).toEqual(['S256', state]);
    // The app's proof is not the provider's: the provider's proof never leaves the server.
    const challenge = createHash('sha256').update(code_verifier).digest('base64url');
    expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
    expect(searchParams.get('code_challenge')).not.toBe(challenge);
  });

  test('gives the provider /auth/callback to come back to [spec 7.auth.callback-path]', async () => {
    const reply = await createBrowser(test_app.app).request(`${AUTHORIZE}?${PKCE}`);
    const { searchParams } = new URL(dataOf(reply).authorization_url);
    expect(searchParams.get('redirect_uri')).toBe(REDIRECT_URI);
    const elsewhere = encodeURIComponent('http://localhost:8000/elsewhere');
    const refused = await createBrowser(test_app.app).request(`${AUTHORIZE}?redirect_uri=${elsewhere}`);
    expect(refused.statusCode).toBe(400);
  });

  test('leads to the sign-up page with signup=true and to the sign-in page without [spec 7.auth.authorize-signup]', async () => {
    const pageOf = async (query: string) => {
      const browser = createBrowser(test_app.app);
      const { authorization_url } = dataOf(await browser.request(`${AUTHORIZE}?${query}`));
      const page = String((await browser.request(authorization_url)).headers.location);
      return (await browser.request(page)).body;
    };
    expect(await pageOf(`${PKCE}&signup=true`)).toContain('autocomplete="new-password"');
    expect(await pageOf(PKCE)).toContain('autocomplete="current-password"');
  });
});

describe('the callback', () => {
  test('exchanges code and state for user and tokens [spec 7.auth.callback, 7.auth.callback-reply]', async () => {
    const browser = createBrowser(test_app.app);
    const { code, state } = await comeBack(browser);
    const reply = await browser.request(CALLBACK, { method: 'POST', json: { code, state } });
    expect([reply.statusCode, reply.json().success]).toEqual([200, true]);
    expect(dataOf(reply)).toEqual({
      user: expect.objectContaining({ email: `person${people}@example.org` }),
      tokens: { access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/), expires_in: 600 },
    });
  });

  test('takes code_verifier when it is known, and refuses another one [spec 7.auth.callback-verifier]', async () => {
    const browser = createBrowser(test_app.app);
    const known = await comeBack(browser);
    expect((await browser.request(CALLBACK, { method: 'POST', json: known })).statusCode).toBe(200);
    const other = { ...(await comeBack(browser)), code_verifier: known.code_verifier };
    expect((await browser.request(CALLBACK, { method: 'POST', json: other })).statusCode).toBe(400);
  });
});

describe('a user', () => {
  test('has these fields and no other [spec 3.user.fields]', async () => {
    const { user } = dataOf(await signIn(createBrowser(test_app.app)));
    expect(Object.keys(user).sort()).toEqual(
      ['age', 'created_at', 'email', 'height_cm', 'id', 'is_active', 'name', 'public_id', 'weight_kg'].sort(),
    );
  });

  test('starts with age, weight and height 0 [spec 3.user.age-default, 3.user.weight-default, 3.user.height-default]', async () => {
    const { user } = dataOf(await signIn(createBrowser(test_app.app)));
    expect(user).toMatchObject({ age: 0, weight_kg: 0, height_cm: 0 });
  });

  test('starts active, with the present as its creation time [spec 3.user.active-default, 3.user.created-default]', async () => {
    const before = Date.now();
    const { user } = dataOf(await signIn(createBrowser(test_app.app)));
    expect(user.is_active).toBe(true);
    expect(Date.parse(user.created_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(user.created_at)).toBeLessThanOrEqual(Date.now());
  });
});

test('me takes the bearer token and replies the user [spec 7.auth.me]', async () => {
  const browser = createBrowser(test_app.app);
  const { user, tokens } = dataOf(await signIn(browser));
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const reply = await test_app.app.inject({ url: '/v1/auth/me', headers });
  expect([reply.statusCode, reply.json()]).toEqual([200, { success: true, data: { user } }]);
  // Cookies alone do not authenticate.
  expect((await browser.request('/v1/auth/me')).statusCode).toBe(401);
});

test('every access token comes with the epoch of the database, in a header', async () => {
  const browser = createBrowser(test_app.app);
  const signed_in = await signIn(browser);
  const refreshed = await browser.request('/v1/auth/refresh', { method: 'POST' });
  const epoch = await readEpoch(test_app.database);
  for (const reply of [signed_in, refreshed]) expect(reply.headers['x-server-epoch']).toBe(epoch);
});

test('refresh takes cookies only and replies access_token and expires_in [spec 7.auth.refresh, 7.auth.refresh-reply]', async () => {
  const browser = createBrowser(test_app.app);
  const { tokens } = dataOf(await signIn(browser));
  const reply = await browser.request('/v1/auth/refresh', { method: 'POST' });
  expect([reply.statusCode, dataOf(reply)]).toEqual([200, { access_token: expect.any(String), expires_in: 600 }]);
  expect(reply.body).not.toContain(browser.cookies.get('__Host-sendlap_refresh')?.value);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const without = await createBrowser(test_app.app).request('/v1/auth/refresh', { method: 'POST', headers });
  expect(without.statusCode).toBe(401);
});

test('logout takes cookies and ends the session that they belong to [spec 7.auth.logout]', async () => {
  const browser = createBrowser(test_app.app);
  const { tokens } = dataOf(await signIn(browser));
  const reply = await browser.request('/v1/auth/logout', { method: 'POST' });
  expect([reply.statusCode, dataOf(reply)]).toEqual([200, { logout_url: null }]);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  expect((await browser.request('/v1/auth/me', { headers })).statusCode).toBe(401);
  expect((await browser.request('/v1/auth/refresh', { method: 'POST' })).statusCode).toBe(401);
});
