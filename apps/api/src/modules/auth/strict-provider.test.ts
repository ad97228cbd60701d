import { Writable } from 'node:stream';
import { authorize, getAuthConfig, getMe, logout, refresh } from '@sendlap/contract/auth.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '#api/platform/logger.ts';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { createBrowser } from '#test/app/browser.ts';
import { bearer, begin, CALLBACK, complete, dataOf, refusalOf } from '#test/app/sign-in.ts';
import { type StrictProvider, startStrictProvider } from '#test/servers/strict-provider.ts';

const lines: string[] = [];
const logger = createLogger(
  'info',
  false,
  new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  }),
);

let provider: StrictProvider;
let test_app: TestApp;
beforeAll(async () => {
  provider = await startStrictProvider();
  test_app = await buildTestApp({ env: provider.env, logger });
});
afterAll(async () => {
  await test_app.close();
  await provider.close();
});

const usual = () => ({
  methods: ['client_secret_basic'],
  announces_create: false,
  has_end_session: true,
  told_issuer: provider.issuer,
  clock_ahead_s: 0,
  is_down: false,
  token_error: undefined,
  claims: {},
});
beforeEach(() => void lines.splice(0));
afterEach(() => void Object.assign(provider, usual()));

async function signIn(browser = createBrowser(test_app.app)) {
  const { authorization_url, state, code_verifier } = await begin(browser);
  const code = await provider.signIn(authorization_url);
  return { browser, reply: await complete(browser, { code, state, code_verifier }) };
}

async function signOut(browser: ReturnType<typeof createBrowser>) {
  return dataOf(await browser.request(logout.path, { method: 'POST' }));
}

/** Returns the log line of the refused request with this id. */
function lineOf(request_id: unknown): Record<string, unknown> {
  const found = lines.map((line) => JSON.parse(line)).filter((line) => line.request_id === request_id && line.code);
  expect(found).toHaveLength(1);
  return found[0];
}

describe('signing out', () => {
  test('shows the provider the ID token of the sign-in, which is sealed here and gone afterwards', async () => {
    const { browser, reply } = await signIn();
    expect(reply.statusCode).toBe(200);
    const kept = () =>
      test_app.database
        .selectFrom('sessions')
        .select('id_token')
        .where('user_id', '=', dataOf(reply).user.id)
        .orderBy('created_at', 'desc')
        .executeTakeFirstOrThrow();
    const { id_token: sealed } = await kept();
    expect(sealed?.toString('latin1')).not.toMatch(/eyJ/);

    expect((await browser.request(refresh.path, { method: 'POST' })).statusCode).toBe(200);
    const left = await signOut(browser);
    expect(left.provider_session_open).toBeUndefined();
    expect(await provider.signOut(left.logout_url)).toBe('http://localhost:8000/login');
    expect((await kept()).id_token).toBeNull();
  });

  test('is not tried without that token: a provider that wants it would show a blank page', async () => {
    const { browser, reply } = await signIn();
    await test_app.database
      .updateTable('sessions')
      .set({ id_token: null })
      .where('user_id', '=', dataOf(reply).user.id)
      .execute();
    expect(await signOut(browser)).toEqual({ logout_url: null, provider_session_open: true });
  });

  test.each([
    ['announces no address for it', { has_end_session: false }],
    ['is down', { is_down: true }],
  ])(
    'of a provider that %s stays in the app, which says so and asks for the password next time',
    async (_why, changes) => {
      if ('has_end_session' in changes) Object.assign(provider, changes);
      const { browser, reply } = await signIn();
      Object.assign(provider, changes);
      expect(await signOut(browser)).toEqual({ logout_url: null, provider_session_open: true });
      expect((await browser.request(getMe.path, bearer(reply))).statusCode).toBe(401);
      provider.is_down = false;
      const { authorization_url } = await begin(browser);
      expect(new URL(authorization_url).searchParams.get('prompt')).toBe('login');
    },
  );
});

describe('client id and secret with - and _', () => {
  test.each([
    ['only as they are in the header', ['client_secret_basic']],
    ['in the form', ['client_secret_post']],
    ['in both', ['client_secret_basic', 'client_secret_post']],
  ])('get in where the provider takes them %s', async (_where, methods) => {
    provider.methods = methods;
    expect((await signIn()).reply.statusCode).toBe(200);
  });

  test('get in by the form also where the provider says nothing about it, after it refused the header', async () => {
    // Without stated methods a client must assume the header (OpenID Connect Discovery, section 3).
    const silent = await startStrictProvider({ methods: undefined, client_secret: 'another-secret_of-it' });
    const methods = ['client_secret_post'];
    Object.defineProperty(silent, 'methods', {
      get: () => (silent.requests.at(-1) === 'POST /token' ? methods : undefined),
    });
    const env = { ...silent.env, OIDC_CLIENT_SECRET: silent.client_secret };
    const app = await buildTestApp({ env, database_url: test_app.database_url });
    const browser = createBrowser(app.app);
    for (const tries of [3, 1]) {
      silent.shown.length = 0;
      const { authorization_url, state } = await begin(browser);
      const reply = await complete(browser, { code: await silent.signIn(authorization_url), state });
      expect(reply.statusCode).toBe(200);
      // The second time the working method is known.
      expect(silent.shown).toHaveLength(tries);
      expect(silent.shown.at(-1)).toBe('client_secret_post');
    }
    await app.close();
    await silent.close();
  });
});

describe('a refusal names its spot to the person and its cause to the operator', () => {
  test.each([
    ['a wrong secret', { token_error: 'invalid_client' }, 'setting', { status: 401, error: 'invalid_client' }],
    ['a client that may not', { token_error: 'unauthorized_client' }, 'setting', { error: 'unauthorized_client' }],
    ['a scope that is not offered', { token_error: 'invalid_scope' }, 'setting', { error: 'invalid_scope' }],
    ['a code that is over', { token_error: 'invalid_grant' }, 'provider', { status: 400, error: 'invalid_grant' }],
    ['a clock 6 minutes behind', { clock_ahead_s: -360 }, 'clock', { status: 200, clock_ahead_s: -360 }],
    ['a clock 6 minutes ahead', { clock_ahead_s: 360 }, 'clock', { status: 200, clock_ahead_s: 360 }],
  ])('%s', async (_what, changes, spot, facts) => {
    Object.assign(provider, changes);
    const { reply } = await signIn();
    expect(refusalOf(reply)).toEqual([400, 'oauth_failed']);
    expect(reply.json().details).toEqual([{ path: spot, message: expect.any(String) }]);
    const line = lineOf(reply.headers['x-request-id']);
    const { clock_ahead_s, ...exact } = facts as { clock_ahead_s?: number };
    expect(line).toMatchObject({ code: 'oauth_failed', spot, cause: expect.stringMatching(/./), ...exact });
    expect(line.endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/(token|keys)$/);
    if (clock_ahead_s !== undefined) expect(Math.abs(Number(line.clock_ahead_s) - clock_ahead_s)).toBeLessThan(60);
    expect(JSON.stringify(lines)).not.toContain(provider.client_secret);
    expect(JSON.stringify(lines)).not.toContain('eyJ');
  });

  test('an issuer that differs by a slash: the log has both', async () => {
    const issuer = `${provider.issuer}/realm`;
    provider.told_issuer = `${issuer}/`;
    const env = { ...provider.env, OIDC_ISSUER: issuer };
    const app = await buildTestApp({ env, database_url: test_app.database_url, logger });
    const search = new URLSearchParams({ redirect_uri: CALLBACK });
    const reply = await createBrowser(app.app).request(`${authorize.path}?${search}`);
    expect(refusalOf(reply)).toEqual([400, 'oauth_failed']);
    expect(reply.json().details[0].path).toBe('setting');
    expect(lineOf(reply.headers['x-request-id'])).toMatchObject({
      issuer,
      told_issuer: `${issuer}/`,
      endpoint: `${issuer}/.well-known/openid-configuration`,
      status: 200,
    });
    await app.close();
  });
});

test('a provider that is down is checked before a browser is sent there, also when it was known before', async () => {
  const browser = createBrowser(test_app.app);
  await begin(browser);
  provider.is_down = true;
  const reply = await browser.request(`${authorize.path}?${new URLSearchParams({ redirect_uri: CALLBACK })}`);
  expect(refusalOf(reply)).toEqual([503, 'provider_unavailable']);
  expect(lineOf(reply.headers['x-request-id'])).toMatchObject({
    code: 'provider_unavailable',
    endpoint: `${provider.issuer}/.well-known/openid-configuration`,
  });
});

describe('"Create account"', () => {
  const configOf = async (app: TestApp) => dataOf(await createBrowser(app.app).request(getAuthConfig.path));

  test('is offered where the provider announces it, and not where it does not', async () => {
    for (const announces_create of [true, false]) {
      provider.announces_create = announces_create;
      await begin(createBrowser(test_app.app));
      expect((await configOf(test_app)).sign_up).toBe(announces_create);
    }
  });

  test('leads to the address of the settings, with all that a sign-in needs', async () => {
    const env = { ...provider.env, OIDC_SIGNUP_URL: 'https://id.example/join?lang=en' };
    const app = await buildTestApp({ env, database_url: test_app.database_url });
    expect((await configOf(app)).sign_up).toBe(true);
    const browser = createBrowser(app.app);
    const url = new URL((await begin(browser, { signup: 'true' })).authorization_url);
    expect(url.origin + url.pathname).toBe('https://id.example/join');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      lang: 'en',
      client_id: provider.client_id,
      redirect_uri: CALLBACK,
      code_challenge_method: 'S256',
    });
    expect((await begin(browser)).authorization_url).toContain(`${provider.issuer}/authorize`);
    await app.close();
  });
});

describe('a changed profile at the provider', () => {
  const userOf = async () => dataOf((await signIn()).reply).user;

  test('is copied at the next sign-in: name and e-mail; missing claims change nothing', async () => {
    provider.claims = { email: 'grace@elsewhere.example' };
    expect(await userOf()).toMatchObject({ name: 'grace', email: 'grace@elsewhere.example' });
    provider.claims = { email: 'hopper@elsewhere.example', name: 'Grace Hopper' };
    const told = { name: 'Grace Hopper', email: 'hopper@elsewhere.example' };
    const { browser, reply } = await signIn();
    expect(dataOf(reply).user).toMatchObject(told);
    expect(dataOf(await browser.request(getMe.path, bearer(reply))).user).toMatchObject(told);
    provider.claims = {};
    expect(await userOf()).toMatchObject(told);
  });

  test('does not replace a name that the person chose here', async () => {
    const { id } = await userOf();
    await test_app.database
      .updateTable('users')
      .set({ name: 'Amazing', display_name: 'Amazing' })
      .where('id', '=', id)
      .execute();
    provider.claims = { email: 'new@elsewhere.example', name: 'Bea Else' };
    expect(await userOf()).toMatchObject({ name: 'Amazing', email: 'new@elsewhere.example' });
  });
});
