import { expect, test, vi } from 'vitest';
import { createBrowser, createTab, EVE, NORA, refusal, reply } from '#test/unit/fake-server.ts';
import { runTurns } from '#test/unit/run-turns.ts';

const TOKENS = { access_token: 'first', expires_in: 600 };
const ME = 'GET /v1/auth/me';
const REFRESH = 'POST /v1/auth/refresh';
const LOGOUT = 'POST /v1/auth/logout';
const offline = () => new TypeError('Failed to fetch');

test('data left by a page that closed during its sign-out is dropped at the next start, before the next user is stored', async () => {
  const browser = createBrowser();
  const closed = createTab({ [LOGOUT]: () => reply({ logout_url: null }) }, browser);
  closed.session.onSignedOut(() => Promise.reject(new Error('the page was closed')));
  await closed.session.signIn(NORA, TOKENS);
  await closed.session.logout();

  const next = createTab({ [ME]: () => reply({ user: NORA }) }, browser);
  const order: string[] = [];
  next.session.onSignedOut(() => void order.push('dropped'));
  await next.session.signIn(NORA, TOKENS);
  order.push('signed in');
  await next.session.finishLogout();
  expect(order).toEqual(['dropped', 'signed in']);
});

test.each([
  ['on purpose', true],
  ['by a lost session', false],
])('a sign-out %s that a closed page left incomplete is finished the same way', async (_way, on_purpose) => {
  const browser = createBrowser();
  const answers = { [LOGOUT]: () => reply({ logout_url: null }), [REFRESH]: () => refusal(401, 'refresh_invalid') };
  const closed = createTab(answers, browser);
  closed.session.onSignedOut(() => Promise.reject(new Error('the page was closed')));
  await closed.session.signIn(NORA, TOKENS);
  closed.device.now = 900_000;
  await (on_purpose ? closed.session.logout() : closed.session.check());
  expect(closed.session.getState().user).toBeNull();

  const next = createTab({}, browser);
  const finished: boolean[] = [];
  next.session.onSignedOut(() => void finished.push(next.session.wasSignOutIntended()));
  await next.session.finishLogout();
  expect([...finished, next.session.wasSignOutIntended()]).toEqual([on_purpose, false]);
});

test('a sign-out that only a later start can send is finished as one on purpose', async () => {
  const browser = createBrowser();
  const alone = createTab({ [LOGOUT]: offline }, browser);
  await alone.session.signIn(NORA, TOKENS);
  await alone.session.logout();

  const next = createTab({ [LOGOUT]: () => reply({ logout_url: null }) }, browser);
  const dropped: boolean[] = [];
  next.session.onSignedOut(() => void dropped.push(next.session.wasSignOutIntended()));
  await next.session.start();
  expect(dropped).toEqual([true]);
});

test.each([
  ['told to the server', 'logout-pending', '1'],
  ['finished on this device', 'dropping', 'intended'],
])(
  'a sign-out that comes back as not yet %s ends no later session: a killed browser lost the newest marks',
  async (_, mark, value) => {
    const browser = createBrowser();
    browser.storage.setItem(mark, value);
    const answers = { [REFRESH]: () => reply(TOKENS), [ME]: () => reply({ user: EVE }) };
    const tab = createTab(answers, browser, EVE);
    const dropped: string[] = [];
    tab.session.onSignedOut(() => void dropped.push(mark));
    await tab.session.start();
    await tab.session.finishLogout();
    expect([tab.session.getState().user, tab.session.canRefresh(), tab.sent, dropped]).toEqual([
      EVE,
      true,
      [REFRESH, ME],
      [],
    ]);
    expect(browser.storage.getItem('signed-in')).not.toBeNull();
  },
);

test('a sign-out whose page was closed while the server did not answer is finished at the next start', async () => {
  const browser = createBrowser();
  const closed = createTab({ [LOGOUT]: () => new Promise(() => {}) }, browser);
  await closed.session.signIn(NORA, TOKENS);
  void closed.session.logout();
  await vi.waitFor(() => expect(closed.sent).toEqual([LOGOUT]));
  expect([closed.device.has_user, closed.device.profile]).toEqual([false, NORA]);

  // The lock of the closed page is released.
  const reopened = Object.assign(createBrowser(), { storage: browser.storage });
  const next = createTab({ [LOGOUT]: offline }, reopened, NORA);
  next.device.has_user = false;
  await next.session.start();
  expect([next.session.getState().user, next.session.canRefresh()]).toEqual([null, false]);
});

test('a drop that never ends does not make the loss of the next session look like a sign-out', async () => {
  const tab = createTab({ [LOGOUT]: () => reply({ logout_url: null }) });
  tab.session.onSignedOut(() => Promise.reject(new Error('the disk is broken')));
  await tab.session.signIn(NORA, TOKENS);
  await tab.session.logout();
  expect(tab.session.wasSignOutIntended()).toBe(true);
  await tab.session.signIn(NORA, TOKENS);
  expect(tab.session.wasSignOutIntended()).toBe(false);
});

const failsToDelete = () => Promise.reject(new Error('the disk is full'));

test.each([
  ['has told the server', () => reply({ logout_url: null }), REFRESH],
  ['has not told the server', offline, LOGOUT],
])('a sign-out that %s and could not delete the user ends at the next start', async (_, answer, sent_next) => {
  const browser = createBrowser();
  const closed = createTab({ [LOGOUT]: answer }, browser);
  closed.device.deleteSession = failsToDelete;
  closed.session.onSignedOut(failsToDelete);
  await closed.session.signIn(NORA, TOKENS);
  await closed.session.logout();
  expect(closed.device.has_user).toBe(true);

  const next = createTab({ [LOGOUT]: offline, [REFRESH]: offline }, browser, NORA);
  next.device.online = false;
  const intended: boolean[] = [];
  next.session.onSignedOut(() => {
    intended.push(next.session.wasSignOutIntended());
    return failsToDelete();
  });
  const shown: (string | undefined)[] = [];
  next.session.subscribe(() => shown.push(next.session.getState().user?.name));
  await next.session.start();
  expect(shown).not.toContain('Nora');
  expect(intended).toContain(true);
  expect(next.sent).toEqual([sent_next]);
});

test.each([
  ['while this device still deletes the user', () => new Promise<void>(() => {})],
  ['after this device failed to delete the user', failsToDelete],
])('a network that comes back %s keeps the pending sign-out', async (_, deleteSession) => {
  const tab = createTab({ [LOGOUT]: offline });
  tab.device.deleteSession = deleteSession;
  await tab.session.signIn(NORA, TOKENS);
  void tab.session.logout();
  await runTurns();
  void tab.session.finishLogout();
  await runTurns();
  expect(tab.session.canRefresh()).toBe(false);
});

test.each([
  ['can', true],
  ['still cannot', false],
])('a sign-in on a device that %s delete the key of the last session ends that sign-out', async (_, can_delete) => {
  const browser = createBrowser();
  const tab = createTab({ [LOGOUT]: () => reply({ logout_url: null }) }, browser);
  const { deleteSession } = tab.device;
  tab.device.deleteSession = failsToDelete;
  await tab.session.signIn(NORA, TOKENS);
  await tab.session.logout();
  if (can_delete) tab.device.deleteSession = deleteSession;
  const had_key: boolean[] = [];
  await tab.session.signInWith(async () => {
    had_key.push(tab.device.has_key);
    return { user: EVE, tokens: TOKENS };
  });
  expect(had_key).toEqual([!can_delete]);

  // The browser was killed, and lost the newest changes of the marks.
  browser.storage.setItem('logout-pending', '1');
  const next = createTab({ [REFRESH]: offline }, browser, EVE);
  next.device.online = false;
  await next.session.start();
  expect(next.session.getState().user).toEqual(EVE);
});

test('a sign-out in another tab does not stop a later user from being found here', async () => {
  const browser = createBrowser();
  const answers = { [REFRESH]: () => reply(TOKENS), [ME]: () => reply({ user: EVE }) };
  // It has not asked yet who is signed in, as on the callback's page.
  const waiting = createTab(answers, browser, EVE);
  const dropped: string[] = [];
  const other = createTab({ [LOGOUT]: () => reply({ logout_url: null }) }, browser);
  await other.session.signIn(NORA, TOKENS);
  await other.session.logout();
  await other.session.signIn(EVE, TOKENS);
  waiting.session.onSignedOut(() => void dropped.push('data'));
  await waiting.session.start();
  expect([waiting.session.getState().user, dropped]).toEqual([EVE, []]);
  expect(browser.storage.getItem('signed-in')).not.toBeNull();
});
