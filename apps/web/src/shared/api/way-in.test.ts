import { login } from '@sendlap/contract/auth.ts';
import { expect, test } from 'vitest';
import { createBrowser, createTab, EVE, NORA, refusal, reply } from '#test/unit/fake-server.ts';
import { runTurns } from '#test/unit/run-turns.ts';

const TOKENS = { access_token: 'first', expires_in: 600 };
const LOGIN = 'POST /v1/auth/login';
const LOGOUT = 'POST /v1/auth/logout';
const ME = 'GET /v1/auth/me';
const REFRESH = 'POST /v1/auth/refresh';
const offline = () => new TypeError('Failed to fetch');
const left = () => reply({ logout_url: null });

const body = { email: 'eve@example.org', password: 'climbing' };
const enter = ({ session, call }: ReturnType<typeof createTab>) =>
  session.signInWith(async () => {
    const { user, tokens } = await call(login, { body });
    return { user, tokens };
  });
const welcome = () => reply({ user: EVE, tokens: { ...TOKENS, token_type: 'Bearer' } });

/** A browser whose last sign-out did not reach the server. */
async function leftOffline(has_locks = true) {
  const browser = createBrowser({ has_locks });
  const tab = createTab({ [LOGOUT]: offline }, browser);
  await tab.session.signIn(NORA, TOKENS);
  await tab.session.logout();
  return browser;
}

test.each([
  [true, 'another tab'],
  [true, 'this tab'],
  [false, 'this tab'],
])('with locks %j no sign-in starts while a sign-out of %s is on its way', async (has_locks, where) => {
  const browser = await leftOffline(has_locks);
  const late = Promise.withResolvers<Response>();
  const here = createTab({ [LOGOUT]: () => late.promise, [LOGIN]: welcome }, browser);
  const there = where === 'this tab' ? here : createTab({ [LOGOUT]: () => late.promise }, browser);
  const finished = there.session.finishLogout();
  await runTurns();
  const entered = enter(here);
  await runTurns();
  expect(here.sent).not.toContain(LOGIN);
  late.resolve(left());
  await Promise.all([finished, entered]);
  expect([...new Set([...there.sent, ...here.sent])]).toEqual([LOGOUT, LOGIN]);
  expect(here.session.getState().user).toEqual(EVE);
});

test('two concurrent sign-outs share one request', async () => {
  const late = Promise.withResolvers<Response>();
  const tab = createTab({ [LOGOUT]: () => late.promise });
  await tab.session.signIn(NORA, TOKENS);
  const both = Promise.all([tab.session.logout(), tab.session.finishLogout()]);
  await runTurns();
  late.resolve(left());
  await both;
  expect(tab.sent).toEqual([LOGOUT]);
});

test.each([true, false])(
  'with locks %j a pending sign-out is not sent to the session that begins in between',
  async (has_locks) => {
    const browser = await leftOffline(has_locks);
    const late = Promise.withResolvers<Response>();
    let network = false;
    const tab = createTab({ [LOGOUT]: () => (network ? left() : offline()), [LOGIN]: () => late.promise }, browser);
    const entered = enter(tab);
    await runTurns();
    network = true;
    const finished = tab.session.finishLogout();
    await runTurns();
    late.resolve(welcome());
    await Promise.all([entered, finished]);
    expect(tab.sent).toEqual([LOGOUT, LOGIN]);
    expect(tab.session.getState().user).toEqual(EVE);
  },
);

test('a start that waited for a sign-in of another tab asks for its user, and drops none of their data', async () => {
  const browser = await leftOffline();
  const late = Promise.withResolvers<Response>();
  const entering = createTab({ [LOGOUT]: offline, [LOGIN]: () => late.promise }, browser);
  const starting = createTab(
    { [LOGOUT]: left, [REFRESH]: () => reply(TOKENS), [ME]: () => reply({ user: EVE }) },
    browser,
  );
  const entered = enter(entering);
  await runTurns();
  const started = starting.session.start();
  await runTurns();
  late.resolve(welcome());
  await Promise.all([entered, started]);
  expect([starting.sent, starting.session.getState().user]).toEqual([[REFRESH, ME], EVE]);
});

test('a sign-in works after a refused one', async () => {
  let right = false;
  const tab = createTab({ [LOGIN]: () => (right ? welcome() : refusal(401, 'credentials_wrong')) });
  await expect(enter(tab)).rejects.toMatchObject({ backend_error: 'credentials_wrong' });
  right = true;
  await enter(tab);
  expect(tab.session.getState().user).toEqual(EVE);
});

test.each([
  ['a page with 403', () => new Response('<h1>Accept our terms</h1>', { status: 403 })],
  ['a page with 404', () => new Response('<h1>Not here</h1>', { status: 404 })],
  ['an unknown code', () => refusal(403, 'portal_login')],
  ['foreign JSON', () => Response.json({ welcome: true })],
])(
  'a sign-out that a public network answers with %s is sent again: the user needs the password to come back',
  async (_, answer) => {
    const browser = createBrowser();
    const tab = createTab({ [LOGOUT]: answer }, browser);
    await tab.session.signIn(NORA, TOKENS);
    await tab.session.logout();
    const next = createTab({ [LOGOUT]: left, [ME]: () => reply({ user: NORA }) }, browser);
    await next.session.start();
    expect([next.sent, next.session.getState().user]).toEqual([[LOGOUT], null]);
  },
);

test('a sign-out that our own server refuses is over: it has no such session', async () => {
  const tab = createTab({ [LOGOUT]: () => refusal(401, 'unauthenticated') });
  await tab.session.signIn(NORA, TOKENS);
  await tab.session.logout();
  await tab.session.finishLogout();
  expect(tab.sent).toEqual([LOGOUT]);
});

test.each([
  ['a page with 401', () => new Response('<h1>Sign in to this network</h1>', { status: 401 })],
  ['a page with 403', () => new Response('<h1>Accept our terms</h1>', { status: 403 })],
  ['a page with 404', () => new Response('<h1>Not here</h1>', { status: 404 })],
  ['a page with 451', () => new Response('<h1>Blocked</h1>', { status: 451 })],
  ['a 401 without a body', () => new Response(null, { status: 401 })],
  ['JSON with 401', () => Response.json({ success: false, message: 'Sign in to this network' }, { status: 401 })],
])('%s in place of a refresh does not sign out', async (_, answer) => {
  const tab = createTab({ [ME]: () => refusal(401, 'unauthenticated'), [REFRESH]: answer });
  await tab.session.signIn(NORA, TOKENS);
  tab.device.now = 900_000;
  await tab.session.check();
  expect(tab.session.getState().user).toEqual(NORA);
  await expect(tab.refreshOnce(null)).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
});

test.each([
  [400, 'bad_request'],
  [401, 'refresh_invalid'],
  [404, 'session_not_found'],
])('a %d of our server to a refresh ends the session', async (status, code) => {
  const tab = createTab({ [REFRESH]: () => refusal(status, code) });
  await tab.session.signIn(NORA, TOKENS);
  tab.device.now = 900_000;
  await tab.session.check();
  expect(tab.session.getState().user).toBeNull();
});

test('the other tabs sign out before the reply to the sign-out, and so get no error', async () => {
  const browser = createBrowser();
  const late = Promise.withResolvers<Response>();
  const here = createTab({ [LOGOUT]: () => late.promise }, browser);
  const there = createTab({}, browser);
  await here.session.signIn(NORA, TOKENS);
  await there.session.signIn(NORA, TOKENS);
  const gone = here.session.logout();
  await runTurns();
  expect(there.session.getState()).toMatchObject({ user: null, error: null });
  expect(there.session.wasSignOutIntended()).toBe(true);
  late.resolve(left());
  await gone;
});

test('a tab on the sign-in screen starts over when a user signs in in another tab; other tabs do not', async () => {
  const browser = createBrowser();
  const [sign_in, callback, here] = [createTab({}, browser), createTab({}, browser), createTab({}, browser)];
  sign_in.device.is_on_sign_in_page = true;
  await here.session.signIn(NORA, TOKENS);
  expect([sign_in.device.reloads, callback.device.reloads, here.device.reloads]).toEqual([1, 0, 0]);
});

test('the last user is known after the session has ended: none, this user, or an unknown one', async () => {
  const tab = createTab({ [REFRESH]: () => refusal(401, 'refresh_invalid') });
  expect(tab.session.lastUserId()).toBeNull();
  await tab.session.signIn(NORA, TOKENS);
  tab.device.now = 900_000;
  await tab.session.check();
  expect(tab.session.lastUserId()).toBe(NORA.id);

  const browser = createBrowser();
  browser.storage.setItem('signed-in', '1');
  const unknown = createTab({ [ME]: () => refusal(401, 'unauthenticated') }, browser);
  await unknown.session.start();
  expect(unknown.session.lastUserId()).toBe('');
});
