import { getMe } from '@sendlap/contract/auth.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBrowser, createTab, EVE, NORA, refusal, reply } from '#test/unit/fake-server.ts';
import { runTurns } from '#test/unit/run-turns.ts';
import type { SessionMessage } from '#web/shared/api/session-channel.ts';

const TOKENS = { access_token: 'first', expires_in: 600 };
const ME = 'GET /v1/auth/me';
const REFRESH = 'POST /v1/auth/refresh';
const LOGOUT = 'POST /v1/auth/logout';
const offline = () => new TypeError('Failed to fetch');
const LOGGED_OUT_LOCALLY = 'Logout failed, but you have been logged out locally';

test('a call that fails during a sign-out changes nothing: no error, no user signed in again', async () => {
  const answered = Promise.withResolvers<Response>();
  const tab = createTab({ [LOGOUT]: () => answered.promise, [REFRESH]: () => reply({ ...TOKENS }) });
  await tab.session.signIn(NORA, TOKENS);
  const left = tab.session.logout();
  await expect(tab.call(getMe, {})).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
  answered.resolve(reply({ logout_url: null }));
  await left;
  expect(tab.session.getState()).toMatchObject({ user: null, error: null });
  expect([tab.session.wasSignOutIntended(), tab.token.getLatest(), tab.sent]).toEqual([true, null, [LOGOUT]]);
});

test('after a sign-out no call asks the server for a session', async () => {
  const tab = createTab({ [LOGOUT]: () => reply({ logout_url: null }) });
  const called: Promise<void>[] = [];
  const isRefused = () => expect(tab.call(getMe, {})).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
  await tab.session.signIn(NORA, TOKENS);
  // A screen that is still shown while the data of the user is dropped.
  tab.session.onSignedOut(() => void called.push(isRefused()));
  await tab.session.logout();
  await Promise.all([...called, isRefused()]);
  expect([called.length, tab.sent]).toEqual([1, [LOGOUT]]);
});

test.each([
  ['an error', () => refusal(500, 'internal_error')],
  ['the page of a public network', () => new Response('<h1>Accept our terms</h1>')],
  ['nothing', offline],
])(
  'a sign-out that is answered by %s shows the error, goes to /login and is sent again later [spec 4.logout.failed, 4.logout.failed-to-login, 2.logout.to-login]',
  async (_, answer) => {
    let works = false;
    const tab = createTab({ [LOGOUT]: () => (works ? reply({ logout_url: null }) : answer()) });
    await tab.session.signIn(NORA, TOKENS);
    expect(await tab.session.logout()).toBe('/login');
    expect(tab.session.getState()).toMatchObject({ user: null, error: LOGGED_OUT_LOCALLY });
    works = true;
    await tab.session.finishLogout();
    await tab.session.finishLogout();
    expect(tab.sent).toEqual([LOGOUT, LOGOUT]);
  },
);

test.each([
  ['is told', () => reply({ logout_url: null })],
  ['does not reach the server', offline],
])('after a sign-out that %s this browser has another key', async (_, answer) => {
  const tab = createTab({ [LOGOUT]: answer });
  await tab.session.signIn(NORA, TOKENS);
  expect(tab.device.has_key).toBe(true);
  await tab.session.logout();
  expect(tab.device.has_key).toBe(false);
});

test('a sign-out that is refused for another reason than a missing session is sent again', async () => {
  let works = false;
  const tab = createTab({
    [LOGOUT]: () => (works ? refusal(401, 'unauthenticated') : refusal(404, 'not_found')),
  });
  await tab.session.signIn(NORA, TOKENS);
  await tab.session.logout();
  works = true;
  await tab.session.finishLogout();
  await tab.session.finishLogout();
  expect(tab.sent).toEqual([LOGOUT, LOGOUT]);
});

test('the start-up whose answer comes during a sign-out does not sign in again', async () => {
  const [me, left] = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()];
  const tab = createTab({
    [ME]: () => me.promise,
    [REFRESH]: () => reply({ ...TOKENS }),
    [LOGOUT]: () => left.promise,
  });
  const started = tab.session.start();
  const leaving = tab.session.logout();
  me.resolve(reply({ user: NORA }));
  await started;
  expect([tab.session.getState().user, tab.session.wasSignOutIntended()]).toEqual([null, true]);
  left.resolve(reply({ logout_url: null }));
  await leaving;
  expect(tab.session.getState().user).toBeNull();
});

test("a gateway's page in place of the user, beside a refresh that works, does not sign out", async () => {
  const page = () => new Response('<h1>No such route</h1>', { status: 404, headers: { 'content-type': 'text/html' } });
  const tab = createTab({ [ME]: page, [REFRESH]: () => reply({ ...TOKENS }) }, createBrowser(), NORA);
  await tab.session.start();
  expect(tab.session.getState()).toMatchObject({ user: NORA, error: null });
});

test('a pending sign-out that two callers finish at once is sent once', async () => {
  let works = false;
  const tab = createTab({ [LOGOUT]: () => (works ? reply({ logout_url: null }) : offline()) });
  await tab.session.signIn(NORA, TOKENS);
  await tab.session.logout();
  works = true;
  await Promise.all([tab.session.finishLogout(), tab.session.finishLogout()]);
  expect(tab.sent).toEqual([LOGOUT, LOGOUT]);
});

test('a server that answers with nothing at all has ended the session [spec 4.logout.order]', async () => {
  const tab = createTab({ [LOGOUT]: () => new Response(null, { status: 204 }) });
  await tab.session.signIn(NORA, TOKENS);
  expect(await tab.session.logout()).toBe('/login');
  expect(tab.session.getState()).toMatchObject({ user: null, error: null });
});

test('a sign-out without network signs out the other tabs too, and none of them comes back', async () => {
  const browser = createBrowser();
  const answers = { [LOGOUT]: offline, [REFRESH]: () => reply({ ...TOKENS }), [ME]: () => reply({ user: NORA }) };
  const tabs = Array.from({ length: 3 }, () => createTab(answers, browser));
  for (const tab of tabs) await tab.session.signIn(NORA, TOKENS);
  await tabs[0]?.session.logout();
  for (const tab of tabs) {
    await expect(tab.call(getMe, {})).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
    expect(tab.session.getState().user).toBeNull();
    expect(tab.sent).not.toContain(REFRESH);
  }
});

test('a user whom the server signs out reads why', async () => {
  const tab = createTab({ [ME]: () => refusal(403, 'reauthentication_required') });
  await tab.session.signIn(NORA, TOKENS);
  await tab.call(getMe, {}).catch(() => {});
  expect(tab.session.getState()).toMatchObject({
    user: null,
    error: 'Re-authentication required - please login again',
  });
});

test.each([
  ['is down', () => refusal(503, 'unavailable'), 'refused: unavailable'],
  ['is out of reach', offline, 'Network error'],
  ['knows the cookie no longer', () => refusal(401, 'refresh_invalid'), 'Authentication failed - please login again'],
])('a start whose server %s shows the last user why they are signed out', async (_, answer, error) => {
  const browser = createBrowser();
  browser.storage.setItem('signed-in', '1');
  const was = createTab({ [ME]: () => refusal(401, 'unauthenticated'), [REFRESH]: answer }, browser);
  was.device.online = false;
  await was.session.start();
  expect(was.session.getState()).toMatchObject({ user: null, error });

  const never = createTab({ [ME]: () => refusal(401, 'unauthenticated'), [REFRESH]: answer });
  never.device.online = false;
  await never.session.start();
  expect(never.session.getState()).toMatchObject({ user: null, error: null });
});

test('a known user stays signed in while the server restarts or a public network answers in its place', async () => {
  for (const answer of [() => refusal(503, 'unavailable'), () => new Response('<h1>Accept our terms</h1>'), offline]) {
    const tab = createTab({ [ME]: answer, [REFRESH]: answer }, createBrowser(), NORA);
    tab.device.online = false;
    await tab.session.start();
    expect(tab.session.getState()).toMatchObject({ user: NORA, checking_auth: false, error: null });
  }
});

test('a profile that a write returned is shown in all tabs of that user, and stored', async () => {
  const browser = createBrowser();
  const [here, there] = [createTab({}, browser), createTab({}, browser)];
  for (const tab of [here, there]) await tab.session.signIn(NORA, TOKENS);
  const renamed = { ...NORA, name: 'Nora B.' };
  await here.session.updateUser(renamed);
  expect([here.session.getState().user, there.session.getState().user]).toEqual([renamed, renamed]);
  expect(here.device.profile).toEqual(renamed);
  await here.session.updateUser({ ...renamed, id: '33333333-3333-4333-8333-333333333333' });
  expect(here.session.getState().user).toEqual(renamed);
});

const page = (status: number) => new Response('<h1>Accept our terms</h1>', { status });

test.each([403, 404])('a %i of a public network ends no session, so the sign-out is sent again', async (status) => {
  let works = false;
  const browser = createBrowser();
  const tab = createTab({ [LOGOUT]: () => (works ? reply({ logout_url: null }) : page(status)) }, browser);
  const isPending = () => browser.storage.getItem('logout-pending') !== null;
  await tab.session.signIn(NORA, TOKENS);
  await tab.session.logout();
  expect(isPending()).toBe(true);
  works = true;
  await tab.session.finishLogout();
  expect([isPending(), tab.sent]).toEqual([false, [LOGOUT, LOGOUT]]);
});

test.each([404, 451])('a %i of a public network on a refresh does not sign out', async (status) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const tab = createTab({ [ME]: () => page(status), [REFRESH]: () => page(status) }, createBrowser(), NORA);
  const started = tab.session.start();
  // The delays of all retries.
  await vi.runAllTimersAsync();
  await started;
  expect(tab.session.getState().user).toEqual(NORA);
});

test('a sign-in during a sign-out waits for its answer, which would delete the new cookie', async () => {
  const answered = Promise.withResolvers<Response>();
  const tab = createTab({ [LOGOUT]: () => answered.promise });
  await tab.session.signIn(NORA, TOKENS);
  const left = tab.session.logout();
  const order: string[] = [];
  const entered = tab.session.signInWith(async () => {
    order.push('asked');
    return { user: NORA, tokens: TOKENS };
  });
  await runTurns();
  order.push('answered');
  answered.resolve(reply({ logout_url: null }));
  await Promise.all([left, entered]);
  expect(order).toEqual(['answered', 'asked']);
  expect(tab.session.getState().user).toEqual(NORA);
});

test('the other tabs leave on purpose with it, however slow the server is', async () => {
  const browser = createBrowser();
  const answered = Promise.withResolvers<Response>();
  const tab = createTab({ [LOGOUT]: () => answered.promise }, browser);
  const other = createTab({}, browser);
  for (const each of [tab, other]) await each.session.signIn(NORA, TOKENS);
  const left = tab.session.logout();
  expect([other.session.getState().user, other.session.wasSignOutIntended()]).toEqual([null, true]);
  answered.resolve(reply({ logout_url: null }));
  await left;
  expect(other.session.getState().error).toBeNull();
});

test.each([
  ['another user', EVE],
  ['the same user', NORA],
])('a frozen tab that gets a sign-out only after %s has signed in drops none of their data', async (_, next) => {
  const browser = createBrowser();
  const frozen = createTab({}, Object.assign(createBrowser(), { storage: browser.storage }));
  await frozen.session.signIn(NORA, TOKENS);
  const messages: SessionMessage[] = [];
  browser.tabs.push((message) => messages.push(message));
  const tab = createTab({ [LOGOUT]: () => reply({ logout_url: null }) }, browser);
  await tab.session.signIn(NORA, TOKENS);
  await tab.session.logout();
  await tab.session.signIn(next, TOKENS);

  const dropped: string[] = [];
  frozen.session.onSignedOut(() => void dropped.push('data'));
  for (const message of messages.slice(1)) frozen.browser.tabs[0]?.(message);
  await runTurns();
  expect([frozen.device.reloads, dropped, browser.storage.getItem('signed-in')]).toEqual([1, [], expect.anything()]);
});

test('where the browser stores nothing, a sign-out signs out the other tabs, too, on purpose', async () => {
  const { tabs } = createBrowser();
  const answers = { [LOGOUT]: () => reply({ logout_url: null }) };
  const [tab, other] = [1, 2].map(() => createTab(answers, Object.assign(createBrowser(), { tabs })));
  for (const each of [tab, other]) await each?.session.signIn(NORA, TOKENS);
  await tab?.session.logout();
  expect([other?.session.getState().user, other?.session.wasSignOutIntended(), other?.device.reloads]).toEqual([
    null,
    true,
    0,
  ]);
});

test('a tab whose code to drop data comes only after the next sign-in drops none of that user', async () => {
  const browser = createBrowser();
  const [tab, slow] = [createTab({ [LOGOUT]: () => reply({ logout_url: null }) }, browser), createTab({}, browser)];
  for (const each of [tab, slow]) await each.session.signIn(NORA, TOKENS);
  const dropped: string[] = [];
  const code = Promise.withResolvers<() => void>();
  slow.session.onSignedOut(() => code.promise);
  slow.session.onSignedOut(async () => () => void dropped.push('at once'));
  await tab.session.logout();
  await runTurns();
  await tab.session.signIn(EVE, TOKENS);
  code.resolve(() => void dropped.push('late'));
  await runTurns();
  expect(dropped).toEqual(['at once']);
});

test('a tab on the sign-in screen follows the one that signs in', async () => {
  const browser = createBrowser();
  const [tab, sign_in, elsewhere] = [createTab({}, browser), createTab({}, browser), createTab({}, browser)];
  sign_in.device.is_on_sign_in_page = true;
  await tab.session.signIn(NORA, TOKENS);
  expect([sign_in.device.reloads, elsewhere.device.reloads]).toEqual([1, 0]);
});
