import { expect, test, vi } from 'vitest';
import { createBrowser, createTab, NORA, refusal, reply, tokenOf } from '#test/unit/fake-server.ts';

const GOOD = { 'POST /v1/auth/refresh': () => reply({ access_token: 'new', expires_in: 600 }) };

test('401 and other 4xx clear the token [spec 4.refresh.401, 4.refresh.4xx]', async () => {
  for (const status of [401, 400, 403, 404]) {
    const tab = createTab({ 'POST /v1/auth/refresh': () => refusal(status, 'refresh_invalid') });
    tab.token.set('old', 600);
    await expect(tab.refreshOnce('old')).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
    expect(tab.token.getLatest()).toBeNull();
  }
});

test('429 is reported as rate-limited and the token is kept [spec 4.refresh.429]', async () => {
  const tab = createTab({ 'POST /v1/auth/refresh': () => refusal(429, 'too_many_requests') });
  tab.token.set('old', 600);
  await expect(tab.refreshOnce('old')).rejects.toMatchObject({ status: 429, backend_error: 'too_many_requests' });
  expect(tab.token.getLatest()).toBe('old');
});

test('without network and on 503 the token is kept', async () => {
  for (const answer of [new TypeError('offline'), refusal(503, 'unavailable')]) {
    const tab = createTab({ 'POST /v1/auth/refresh': () => answer });
    tab.token.set('old', 600);
    await expect(tab.refreshOnce('old')).rejects.toBeDefined();
    expect(tab.token.getLatest()).toBe('old');
  }
});

test('a token that arrives after a logout is not kept', async () => {
  const tab = createTab({
    'POST /v1/auth/refresh': () => {
      tab.token.clear();
      return reply({ access_token: 'late', expires_in: 600 });
    },
  });
  await expect(tab.refreshOnce(null)).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
  expect(tab.token.getLatest()).toBeNull();
});

test('the refusal of an earlier session does not end that of a sign-in since', async () => {
  const refused = Promise.withResolvers<Response>();
  const tab = createTab({ 'POST /v1/auth/refresh': () => refused.promise });
  const late = tab.refreshOnce(null);
  await vi.waitFor(() => expect(tab.sent).toHaveLength(1));
  await tab.session.signIn(NORA, { access_token: 'new', expires_in: 600 });
  refused.resolve(refusal(401, 'refresh_invalid'));
  await late;
  expect([tab.token.getLatest(), tab.session.getState().user]).toEqual(['new', NORA]);
});

test('an answer that is not from our server keeps the token: a public network’s own page does not sign out', async () => {
  const tab = createTab({ 'POST /v1/auth/refresh': () => new Response('<h1>Accept our terms</h1>') });
  tab.token.set('old', 600);
  await expect(tab.refreshOnce('old')).rejects.toMatchObject({ code: 'UNKNOWN_ERROR' });
  expect(tab.token.getLatest()).toBe('old');
});

test('no refresh is sent while a sign-out has not reached the server: the cookie must not sign the user in again', async () => {
  const tab = createTab({ ...GOOD, 'POST /v1/auth/logout': () => new TypeError('offline') });
  await tab.session.signIn(NORA, { access_token: 'old', expires_in: 600 });
  await tab.session.logout();
  await expect(tab.refreshOnce(null)).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
  expect(tab.sent).toEqual(['POST /v1/auth/logout']);
});

test('many callers of one tab ask once', async () => {
  const tab = createTab(GOOD);
  await Promise.all(Array.from({ length: 20 }, () => tab.refreshOnce(null)));
  expect(tab.sent).toEqual(['POST /v1/auth/refresh']);
});

test('six tabs ask once, and the others are handed the token', async () => {
  const browser = createBrowser();
  const user = { id: '11111111-1111-4111-8111-111111111111' };
  const tabs = Array.from({ length: 6 }, () => createTab(GOOD, browser));
  for (const tab of tabs)
    await tab.session.signIn({ ...tab.session.getState().user, ...user } as never, {
      access_token: 'old',
      expires_in: 600,
    });
  await Promise.all(tabs.map((tab) => tab.refreshOnce('old')));
  expect(tabs.flatMap((tab) => tab.sent)).toEqual(['POST /v1/auth/refresh']);
  expect(tabs.map((tab) => tab.token.getValid())).toEqual(Array(6).fill('new'));
});

/** Of two tabs the first has a new token; the second has the lock now, and is waiting for the first one's message. */
async function openLateTab() {
  const browser = createBrowser();
  const [first, late] = [createTab(GOOD, browser), createTab(GOOD, browser)];
  for (const tab of [first, late]) await tab.session.signIn(NORA, { access_token: 'old', expires_in: 600 });
  const [time, waiting] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  late.device.handOver = () => {
    waiting.resolve();
    return time.promise;
  };
  const [, hear] = browser.tabs;
  const told: Parameters<NonNullable<typeof hear>>[0][] = [];
  browser.tabs[1] = (message) => void told.push(message);
  const done = Promise.all([first.refreshOnce('old'), late.refreshOnce('old')]);
  await waiting.promise;
  const deliver = () => {
    for (const message of told) hear?.(message);
  };
  return { late, done, endTime: time.resolve, deliver };
}

test('a tab that waited for the lock takes the token that arrives in its time', async () => {
  const { late, done, endTime, deliver } = await openLateTab();
  deliver();
  endTime();
  await done;
  expect([late.sent, late.token.getValid()]).toEqual([[], 'new']);
});

test('a tab that waited for the lock asks itself only when its time is over', async () => {
  const { late, done, endTime } = await openLateTab();
  expect(late.sent).toEqual([]);
  endTime();
  await done;
  expect([late.sent, late.token.getValid()]).toEqual([['POST /v1/auth/refresh'], 'new']);
});

test('a page that is left in the middle of a refresh lets go of the lock, and takes the token when it is shown again', async () => {
  const browser = createBrowser();
  const late = Promise.withResolvers<Response>();
  const left_page = createTab({ 'POST /v1/auth/refresh': () => late.promise }, browser);
  const other = createTab(GOOD, browser);
  const { promise, resolve: leave } = Promise.withResolvers<void>();
  left_page.device.left = promise;
  const refreshed = left_page.refreshOnce(null);
  await vi.waitFor(() => expect(left_page.sent).toHaveLength(1));
  const others = other.refreshOnce(null);
  leave();
  await others;
  expect(other.token.getValid()).toBe('new');
  late.resolve(reply({ access_token: 'late', expires_in: 600 }));
  await refreshed;
  expect(left_page.token.getValid()).toBe('late');
});

test('a caller whose token was replaced already sends no refresh', async () => {
  const tab = createTab(GOOD);
  tab.token.set('new', 600);
  await tab.refreshOnce('old');
  expect(tab.sent).toEqual([]);
});

test('a refresh carries the proof of this browser, and another one when the server says that its time was wrong', async () => {
  const late = [refusal(425, 'proof_expired'), reply({ access_token: 'new', expires_in: 600 })];
  const tab = createTab({ 'POST /v1/auth/refresh': () => late.shift() ?? refusal(401, 'refresh_invalid') });
  let proofs = 0;
  tab.device.prove = (request) => `${request} ${++proofs}`;
  await tab.refreshOnce(null);
  expect(tab.requests.map(({ headers }) => headers.get('dpop'))).toEqual([
    'POST /v1/auth/refresh 1',
    'POST /v1/auth/refresh 2',
  ]);
  expect(tab.token.getValid()).toBe('new');
});

test('a second proof that is refused does not sign out', async () => {
  const tab = createTab({ 'POST /v1/auth/refresh': () => refusal(425, 'proof_expired') });
  await tab.session.signIn(NORA, { access_token: 'old', expires_in: 600 });
  await expect(tab.refreshOnce('old')).rejects.toMatchObject({ status: 425 });
  expect([tab.sent.length, tab.token.getLatest(), tab.session.getState().user]).toEqual([2, 'old', NORA]);
});

test('a key that cannot be read for a moment is no reason to ask without it, which would look like theft', async () => {
  const tab = createTab(GOOD);
  await tab.session.signIn(NORA, { access_token: 'old', expires_in: 600 });
  tab.device.prove = () => {
    throw new DOMException('busy', 'UnknownError');
  };
  await expect(tab.refreshOnce('old')).rejects.toMatchObject({ status: 0 });
  expect([tab.sent, tab.session.getState().user]).toEqual([[], NORA]);
});

test('a tab that gets the token of another tab knows the epoch of its server before it uses it', async () => {
  const browser = createBrowser();
  const named = { 'x-server-epoch': 'two' };
  const asking = createTab(
    { 'POST /v1/auth/refresh': () => reply({ access_token: tokenOf(NORA.id), expires_in: 600 }, 200, named) },
    browser,
  );
  const listening = createTab({}, browser);
  for (const tab of [asking, listening])
    await tab.session.signIn(NORA, { access_token: tokenOf(NORA.id), expires_in: 600 });
  let token_before: string | null = 'none';
  listening.token.clear();
  listening.device.epoch.subscribe(() => {
    token_before = listening.token.getLatest();
  });
  asking.token.clear();
  await asking.refreshOnce(null);
  expect([listening.device.epoch.latest(), token_before]).toEqual(['two', null]);
  expect(listening.token.getLatest()).toBe(tokenOf(NORA.id));
});
