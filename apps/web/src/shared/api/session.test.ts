import { expect, test, vi } from 'vitest';
import { createBrowser, createTab, NORA, refusal, reply } from '#test/unit/fake-server.ts';

const TOKENS = { access_token: 'first', expires_in: 600 };
const ME = 'GET /v1/auth/me';
const REFRESH = 'POST /v1/auth/refresh';
const LOGOUT = 'POST /v1/auth/logout';
const offline = () => new TypeError('Failed to fetch');
const me = ({ headers }: Request) =>
  headers.has('authorization') ? reply({ user: NORA }) : refusal(401, 'unauthenticated');
const refreshed = () => reply({ access_token: 'new', expires_in: 600 });

test('start-up without a session ends logged out [spec 4.start-up.logged-out]', async () => {
  const tab = createTab({ [ME]: me, [REFRESH]: () => refusal(401, 'refresh_invalid') });
  await tab.session.start();
  expect(tab.session.getState()).toMatchObject({ user: null, checking_auth: false });
});

test('start-up asks who it is, refreshes, asks again, and only once a page life [spec 4.start-up.fetch, 4.start-up.refresh]', async () => {
  let first = true;
  const refuseFirst = (asked: Request) => {
    const answer = first ? refusal(401, 'unauthenticated') : me(asked);
    first = false;
    return answer;
  };
  const tab = createTab({ [ME]: refuseFirst, [REFRESH]: refreshed });
  tab.token.set('stale', 600);
  await Promise.all([tab.session.start(), tab.session.start()]);
  expect(tab.session.getState()).toMatchObject({ user: NORA, checking_auth: false });
  expect(tab.sent).toEqual([ME, REFRESH, ME]);
  expect(tab.device.profile).toEqual(NORA);
});

test('without a token start-up gets one before it asks who it is, which would only be refused', async () => {
  const tab = createTab({ [ME]: me, [REFRESH]: refreshed });
  await tab.session.start();
  expect(tab.session.getState().user).toEqual(NORA);
  expect(tab.sent).toEqual([REFRESH, ME]);
});

test('start-up asks nothing in a browser of which neither the server nor the device knows a session', async () => {
  const visitor = createTab({});
  visitor.device.maybe_signed_in = false;
  await visitor.session.start();
  expect(visitor.session.getState()).toMatchObject({ user: null, checking_auth: false, error: null });
  expect(visitor.sent).toEqual([]);

  const known = createTab({ [ME]: me, [REFRESH]: refreshed }, createBrowser(), NORA);
  known.device.maybe_signed_in = false;
  await known.session.start();
  expect(known.sent).toEqual([REFRESH, ME]);

  const browser = createBrowser();
  browser.storage.setItem('signed-in', '1');
  const forgotten = createTab({ [ME]: me, [REFRESH]: refreshed }, browser);
  forgotten.device.maybe_signed_in = false;
  await forgotten.session.start();
  expect(forgotten.session.getState().user).toEqual(NORA);
});

test('start-up refreshes and asks again also when the first answer was another refusal [spec 4.start-up.refresh]', async () => {
  let first = true;
  const tab = createTab({
    [ME]: () => {
      const answer = first ? refusal(400, 'bad_request') : reply({ user: NORA });
      first = false;
      return answer;
    },
    [REFRESH]: refreshed,
  });
  tab.token.set('stale', 600);
  await tab.session.start();
  expect(tab.session.getState().user).toEqual(NORA);
  expect(tab.sent).toEqual([ME, REFRESH, ME]);
});

test('without network the last known user stays signed in, and no other', async () => {
  const known = createTab({ [REFRESH]: offline }, createBrowser(), NORA);
  const stranger = createTab({ [REFRESH]: offline });
  known.device.online = false;
  stranger.device.online = false;
  await Promise.all([known.session.start(), stranger.session.start()]);
  expect(known.session.getState()).toMatchObject({ user: NORA, checking_auth: false });
  expect(stranger.session.getState()).toMatchObject({ user: null, checking_auth: false });
});

/** A page without a network, in a browser where Nora was signed in when it was last open. */
async function openWithoutNetwork(browser: ReturnType<typeof createBrowser>, { is_unreadable = false } = {}) {
  const tab = createTab({ [REFRESH]: offline }, browser, NORA);
  Object.assign(tab.device, { online: false, is_unreadable });
  let dropped = 0;
  tab.session.onSignedOut(() => {
    dropped += 1;
  });
  await tab.session.start();
  return { ...tab.session.getState(), dropped };
}

test('a user whom the device cannot read for a moment stays signed in while the server does not answer', async () => {
  const browser = createBrowser();
  await openWithoutNetwork(browser);
  const left = await openWithoutNetwork(browser, { is_unreadable: true });
  expect(left).toMatchObject({ user: null, checking_auth: false, dropped: 0 });
  expect(await openWithoutNetwork(browser)).toMatchObject({ user: NORA, dropped: 0 });
});

test('a user whom the device cannot read is signed out when the server says so', async () => {
  const browser = createBrowser();
  await openWithoutNetwork(browser);
  const tab = createTab({ [ME]: me, [REFRESH]: () => refusal(401, 'refresh_invalid') }, browser, NORA);
  tab.device.is_unreadable = true;
  let dropped = 0;
  tab.session.onSignedOut(() => {
    dropped += 1;
  });
  await tab.session.start();
  expect(dropped).toBe(1);
});

test('a known user whose session has ended is signed out, and their data is dropped [spec 4.start-up.logged-out]', async () => {
  const tab = createTab({ [ME]: me, [REFRESH]: () => refusal(401, 'refresh_invalid') }, createBrowser(), NORA);
  let dropped = 0;
  tab.session.onSignedOut(() => {
    dropped += 1;
  });
  await tab.session.start();
  expect(tab.session.getState().user).toBeNull();
  expect(dropped).toBe(1);
});

test('a server that leaves fields of the user out gets the defaults [spec 3.user.name-from-email, 3.user.age-default, 3.user.weight-default, 3.user.height-default, 3.user.active-default]', async () => {
  const bare = { id: NORA.id, email: 'iker@example.org', public_id: 'iker', created_at: NORA.created_at };
  const tab = createTab({ [ME]: () => Response.json({ data: bare }), [REFRESH]: refreshed });
  await tab.session.start();
  expect(tab.session.getState().user).toMatchObject({
    name: 'iker',
    age: 0,
    weight_kg: 0,
    height_cm: 0,
    is_active: true,
  });
});

test('the check does nothing while the token is valid or without a signed-in user [spec 4.periodic.signed-in-only]', async () => {
  const tab = createTab({ [REFRESH]: refreshed });
  await tab.session.check();
  await tab.session.signIn(NORA, TOKENS);
  await tab.session.check();
  expect(tab.sent).toEqual([]);
});

test('the check refreshes an expired token [spec 4.periodic.refresh]', async () => {
  const tab = createTab({ [REFRESH]: refreshed });
  await tab.session.signIn(NORA, TOKENS);
  tab.device.now = 900_000;
  await tab.session.check();
  expect(tab.token.getValid()).toBe('new');
});

test('the check signs out when the refresh is refused, and not without an answer [spec 4.periodic.logout]', async () => {
  const refused = createTab({ [REFRESH]: () => refusal(401, 'refresh_invalid') });
  const alone = createTab({ [REFRESH]: offline });
  for (const tab of [refused, alone]) {
    await tab.session.signIn(NORA, TOKENS);
    tab.device.now = 900_000;
    await tab.session.check();
  }
  expect(refused.session.wasSignOutIntended()).toBe(false);
  expect(refused.session.getState().user).toBeNull();
  expect(alone.session.getState().user).toEqual(NORA);
});

test('logout clears the token, calls the server, logs out and goes to /login [spec 4.logout.order]', async () => {
  const order: string[] = [];
  const tab = createTab({
    [LOGOUT]: () => {
      order.push(`server, token ${tab.token.getLatest()}`);
      return reply({ logout_url: null });
    },
  });
  await tab.session.signIn(NORA, TOKENS);
  tab.session.subscribe(() => void (tab.session.getState().user === null && order.push('logged out')));
  expect(await tab.session.logout()).toBe('/login');
  expect(tab.session.wasSignOutIntended()).toBe(true);
  expect(order.slice(0, 2)).toEqual(['server, token null', 'logged out']);
});

test('logout goes where the provider wants to end its own session', async () => {
  const tab = createTab({ [LOGOUT]: () => reply({ logout_url: 'https://id.example.org/logout' }) });
  await tab.session.signIn(NORA, TOKENS);
  expect(await tab.session.logout()).toBe('https://id.example.org/logout');
});

test('a logout that does not reach the server says so, still goes to /login, and the cookie does not sign in at the next start [spec 4.logout.failed, 4.logout.failed-to-login]', async () => {
  const browser = createBrowser();
  const tab = createTab({ [LOGOUT]: offline }, browser);
  await tab.session.signIn(NORA, TOKENS);
  expect(await tab.session.logout()).toBe('/login');
  expect(tab.session.getState()).toMatchObject({
    user: null,
    error: 'Logout failed, but you have been logged out locally',
  });
  const next = createTab({ [LOGOUT]: () => reply({ logout_url: null }), [ME]: me, [REFRESH]: refreshed }, browser);
  await next.session.start();
  expect(next.session.getState().user).toBeNull();
  expect(next.sent).toEqual([LOGOUT]);
});

test('a logout ends the session in the other tabs', async () => {
  const browser = createBrowser();
  const [here, there] = [createTab({ [LOGOUT]: () => reply({ logout_url: null }) }, browser), createTab({}, browser)];
  await here.session.signIn(NORA, TOKENS);
  await there.session.signIn(NORA, TOKENS);
  await here.session.logout();
  expect(there.session.getState().user).toBeNull();
  expect(there.token.getLatest()).toBeNull();
});

test('a tab starts over when another user signs in', async () => {
  const browser = createBrowser();
  const [here, there] = [createTab({}, browser), createTab({}, browser)];
  await there.session.signIn(NORA, TOKENS);
  await here.session.signIn({ ...NORA, id: '33333333-3333-4333-8333-333333333333' }, TOKENS);
  expect(there.device.reloads).toBe(1);
});

test('a refused refresh ends the session in all tabs, also where a token would still work', async () => {
  const browser = createBrowser();
  const answers = { [REFRESH]: () => refusal(401, 'refresh_invalid') };
  const [here, there] = [createTab(answers, browser), createTab(answers, browser)];
  await there.session.signIn(NORA, TOKENS);
  await here.session.signIn(NORA, TOKENS);
  here.device.now = 900_000;
  await here.session.check();
  await vi.waitFor(() => expect(there.session.getState().user).toBeNull());
  expect([there.token.getLatest(), there.session.wasSignOutIntended()]).toEqual([null, false]);
  expect(there.session.getState().error).toBe(here.session.getState().error);
});

test('a tab that the server does not answer asks again after another one was refused, and ends too', async () => {
  const browser = createBrowser();
  const here = createTab({ [REFRESH]: () => refusal(401, 'refresh_invalid') }, browser);
  const answers = [offline(), offline()];
  const there = createTab({ [REFRESH]: () => answers.shift() ?? refusal(401, 'refresh_invalid') }, browser);
  // One wait after the first try, two after the second.
  const later = [1, 2, 3].map(() => Promise.withResolvers<void>());
  const waits = later.map(({ promise }) => promise);
  there.device.waitForRetry = () => waits.shift() ?? Promise.reject(new Error('asked too often'));
  await there.session.signIn(NORA, TOKENS);
  await here.session.signIn(NORA, TOKENS);
  here.device.now = 900_000;
  await here.session.check();
  for (const { resolve } of later) {
    expect(there.session.getState().user).toEqual(NORA);
    resolve();
  }
  await vi.waitFor(() => expect(there.session.getState().user).toBeNull());
  expect(there.session.getState().error).toBe(here.session.getState().error);
  expect(there.sent).toEqual(Array.from({ length: 3 }, () => REFRESH));
});

test('a tab whose user signed in again stays when another tab is refused for the previous session', async () => {
  const browser = createBrowser();
  const here = createTab({ [REFRESH]: () => refusal(401, 'refresh_invalid') }, browser);
  const there = createTab({ [REFRESH]: refreshed }, browser);
  await there.session.signIn(NORA, TOKENS);
  await here.session.signIn(NORA, TOKENS);
  here.device.now = 900_000;
  await here.session.check();
  await vi.waitFor(() => expect(there.token.getValid()).toBe('new'));
  expect(there.session.getState().user).toEqual(NORA);
});

test('a user who signs in on an unused browser finds nothing that another tab stored in between', async () => {
  const tab = createTab({});
  const dropped: (string | undefined)[] = [];
  tab.session.onSignedOut(() => void dropped.push(tab.session.getState().user?.name));
  await tab.session.signIn(NORA, TOKENS);
  expect(dropped).toEqual([undefined]);
});
