import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { NORA, refusal, reply } from '#test/unit/fake-server.ts';
import type { describeProblem } from './describe-problem.ts';

const ORIGIN = 'https://sendlap.test';
const AUTHORIZE = 'GET /v1/auth/oauth/authorize/cognito';
const CALLBACK = 'POST /v1/auth/oauth/callback/cognito';
const LOGIN = 'POST /v1/auth/login';
const ADDRESS = 'https://id.example.org/authorize?x=1';
const TOKENS = { access_token: 't', expires_in: 600 };
const begun = () => reply({ authorization_url: ADDRESS, code_verifier: 'v', state: 's' });
const entered = () => reply({ user: NORA, tokens: TOKENS });
const CREDENTIALS = { email: 'nora@example.org', password: ' chalk ' };

interface Page {
  signIn: typeof import('./sign-in.ts');
  session: typeof import('#web/shared/api/client.ts').session;
  streamToken: typeof import('#web/shared/api/client.ts').getStreamToken;
  requests: Request[];
  went: string[];
  stored: Map<string, string>;
}

/**
 * Loads the real modules as a new page, against a server with the given answers; `stored` is a tab's storage, which
 * outlives the page.
 */
async function openPage(
  answers: Record<string, () => Response | Error>,
  stored = new Map<string, string>(),
): Promise<Page> {
  vi.resetModules();
  const requests: Request[] = [];
  const went: string[] = [];
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  vi.stubGlobal('location', { origin: ORIGIN, assign: (to: string) => void went.push(to) });
  vi.stubGlobal('fetch', async (input: string, init: RequestInit) => {
    const request = new Request(new URL(input, ORIGIN), init);
    requests.push(request.clone());
    const answer = answers[`${request.method} ${new URL(request.url).pathname}`]?.() ?? refusal(404, 'not_found');
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const [signIn, { session, getStreamToken }] = await Promise.all([
    import('./sign-in.ts'),
    import('#web/shared/api/client.ts'),
  ]);
  return { signIn, session, streamToken: getStreamToken, requests, went, stored };
}

/** Returns the words that the page shows for the error thrown by `work`. */
async function wordsOf(work: Promise<unknown>, fallback: Parameters<typeof describeProblem>[1]) {
  const { describeProblem } = await import('./describe-problem.ts');
  const problem = await work.then(
    () => null,
    (error: unknown) => error,
  );
  return describeProblem(problem, fallback, (code) => ['credentials_wrong', 'NETWORK_ERROR'].includes(code));
}

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}));
afterEach(() => void vi.unstubAllGlobals());

describe('leaving for the provider', () => {
  test.each([
    ['none', { code_verifier: 'v', state: 's' }],
    ['an empty one', { authorization_url: '', code_verifier: 'v', state: 's' }],
    ['one that is no address', { authorization_url: 'https://', code_verifier: 'v', state: 's' }],
    ['one that would run here', { authorization_url: 'javascript:alert(1)', code_verifier: 'v', state: 's' }],
  ])('a reply with %s for an address is refused with the words of the spec [spec 5.authorize.url]', async (_, data) => {
    const { signIn, went, stored } = await openPage({ [AUTHORIZE]: () => reply(data) });
    await expect(signIn.redirectToProvider(false)).rejects.toThrow(/^No authorization URL received from backend$/);
    expect(went).toEqual([]);
    expect(stored.size).toBe(0);
  });

  test('an empty reply is refused in the same words [spec 5.authorize.url]', async () => {
    const { signIn } = await openPage({ [AUTHORIZE]: () => new Response(null, { status: 204 }) });
    await expect(signIn.redirectToProvider(false)).rejects.toThrow(/^No authorization URL received from backend$/);
  });

  test('a sign-in asks with redirect_uri and use_pkce and goes to the returned address [spec 4.provider.login, 7.auth.authorize, 7.auth.authorize-query, 7.auth.authorize-reply, 7.auth.callback-path]', async () => {
    const { signIn, requests, went } = await openPage({ [AUTHORIZE]: begun });
    await signIn.redirectToProvider(false);
    const url = new URL(requests[0]?.url ?? '');
    expect(url.pathname).toBe('/v1/auth/oauth/authorize/cognito');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      redirect_uri: `${ORIGIN}/auth/callback`,
      use_pkce: 'true',
      ui_locales: 'en',
    });
    expect(requests[0]?.credentials).toBe('include');
    expect(went).toEqual([ADDRESS]);
  });

  test('a registration asks for the same with signup=true [spec 4.provider.register, 7.auth.authorize-signup]', async () => {
    const { signIn, requests, went } = await openPage({ [AUTHORIZE]: begun });
    await signIn.redirectToProvider(true);
    expect(new URL(requests[0]?.url ?? '').searchParams.get('signup')).toBe('true');
    expect(went).toEqual([ADDRESS]);
  });

  test('the verifier is kept under the state, in memory and in session storage [spec 3.verifier.key, 3.verifier.places]', async () => {
    const { signIn, stored, requests } = await openPage({ [AUTHORIZE]: begun, [CALLBACK]: entered });
    await signIn.redirectToProvider(false);
    expect([...stored]).toMatchObject([['oauth-verifier:s', expect.stringContaining('"code_verifier":"v"')]]);
    stored.clear();
    await signIn.completeCallback('c', { state: 's', iss: null });
    expect(await requests.at(-1)?.json()).toEqual({ code: 'c', state: 's', code_verifier: 'v' });
  });

  test('a registration that cannot be started says so [spec 8.auth.register-failed]', async () => {
    const { signIn } = await openPage({ [AUTHORIZE]: () => new Response('', { status: 418 }) });
    expect(await wordsOf(signIn.redirectToProvider(true), 'registrationFailed')).toEqual({ key: 'registrationFailed' });
  });
});

describe('coming back', () => {
  test('a reply without an access token is refused with the words of the spec [spec 5.callback.token]', async () => {
    for (const data of [{ user: NORA }, { user: NORA, tokens: { expires_in: 600 } }, {}, null]) {
      const { signIn, session } = await openPage({ [CALLBACK]: () => reply(data) });
      await expect(signIn.completeCallback('c', { state: 's', iss: null })).rejects.toThrow(
        /^No access token received from OAuth callback$/,
      );
      expect(session.getState().user).toBeNull();
    }
  });

  test('a reply whose user is of no use could not be completed [spec 8.auth.complete-failed]', async () => {
    const { signIn } = await openPage({ [CALLBACK]: () => reply({ tokens: TOKENS, user: { id: 7 } }) });
    const work = signIn.completeCallback('c', { state: 's', iss: null });
    await expect(work).rejects.toThrow(/^Failed to complete authentication$/);
  });

  test('a refusal without words is "OAuth callback failed" [spec 8.auth.callback-failed]', async () => {
    const { signIn } = await openPage({ [CALLBACK]: () => new Response('', { status: 400 }) });
    const work = signIn.completeCallback('c', { state: 's', iss: null });
    expect(await wordsOf(work, 'callbackFailed')).toEqual({ key: 'callbackFailed' });
    const { callbackFailureReason } = await import('./describe-problem.ts');
    expect(callbackFailureReason(await work.catch((error: unknown) => error))).toBe('OAuth callback failed');
  });

  test('code and state are exchanged, once for a code; token and user are kept [spec 4.provider.callback, 7.auth.callback, 7.auth.callback-reply]', async () => {
    const { signIn, session, streamToken, requests } = await openPage({ [CALLBACK]: entered });
    const query = { state: 's', iss: null };
    await Promise.all([signIn.completeCallback('c', query), signIn.completeCallback('c', query)]);
    expect(requests).toHaveLength(1);
    expect(await requests[0]?.json()).toEqual({ code: 'c', state: 's' });
    expect(session.getState()).toMatchObject({ user: NORA, checking_auth: false });
    expect(await streamToken()).toBe('t');
  });

  test('the verifier stored before the redirect is sent, and the issuer if the provider named it [spec 7.auth.callback-verifier]', async () => {
    const first = await openPage({ [AUTHORIZE]: begun });
    await first.signIn.redirectToProvider(false);
    const { signIn, requests } = await openPage({ [CALLBACK]: entered }, first.stored);
    await signIn.completeCallback('c', { state: 's', iss: 'https://id.example.org' });
    expect(await requests[0]?.json()).toEqual({
      code: 'c',
      state: 's',
      code_verifier: 'v',
      iss: 'https://id.example.org',
    });
    expect(first.stored.size).toBe(0);
  });
});

describe('e-mail and password', () => {
  test.each([
    ['no tokens', { user: NORA }],
    ['an empty object for tokens', { user: NORA, tokens: {} }],
    ['nothing', null],
  ])('a reply with %s is refused with the words of the spec [spec 5.login.token]', async (_, data) => {
    const { signIn } = await openPage({ [LOGIN]: () => reply(data) });
    await expect(signIn.signInWithPassword(CREDENTIALS)).rejects.toThrow(/^No access token received from login$/);
  });

  test('a reply without a user is refused with the words of the spec [spec 5.login.user]', async () => {
    const { signIn, session } = await openPage({ [LOGIN]: () => reply({ tokens: TOKENS }) });
    await expect(signIn.signInWithPassword(CREDENTIALS)).rejects.toThrow(/^No user data received from login$/);
    expect(session.getState().user).toBeNull();
  });

  test.each([
    ['detail', { detail: 'Only on Sundays' }],
    ['message', { message: 'Only on Sundays' }],
  ])('a refusal says the server’s %s [spec 8.auth.login-server]', async (_, body) => {
    const { signIn } = await openPage({ [LOGIN]: () => Response.json(body, { status: 400 }) });
    expect(await wordsOf(signIn.signInWithPassword(CREDENTIALS), 'loginFailed')).toEqual({
      server_message: 'Only on Sundays',
    });
  });

  test('a refusal without either says "Login failed" [spec 8.auth.login-failed]', async () => {
    const refused = () => new Response('', { status: 400, statusText: 'Bad Request' });
    const { signIn } = await openPage({ [LOGIN]: refused });
    expect(await wordsOf(signIn.signInWithPassword(CREDENTIALS), 'loginFailed')).toEqual({ key: 'loginFailed' });
  });

  test('a wrong password, too many tries and a dead network have their own texts', async () => {
    const cases: [() => Response | Error, unknown][] = [
      [() => refusal(401, 'credentials_wrong'), { error_code: 'credentials_wrong' }],
      [() => refusal(429, 'too_many_requests', { 'retry-after': '61' }), { key: 'tooMany', count: 2 }],
      [() => new TypeError('Failed to fetch'), { error_code: 'NETWORK_ERROR' }],
    ];
    for (const [answer, words] of cases) {
      const { signIn } = await openPage({ [LOGIN]: answer });
      expect(await wordsOf(signIn.signInWithPassword(CREDENTIALS), 'loginFailed')).toEqual(words);
    }
  });

  test('the credentials go as they are, and token and user are kept [spec 7.auth.login, 7.auth.login-reply, 1.sign-in.direct]', async () => {
    const { signIn, session, streamToken, requests } = await openPage({ [LOGIN]: entered });
    await signIn.signInWithPassword(CREDENTIALS);
    expect(await requests[0]?.json()).toEqual(CREDENTIALS);
    expect(session.getState().user).toEqual(NORA);
    expect(await streamToken()).toBe('t');
  });
});
