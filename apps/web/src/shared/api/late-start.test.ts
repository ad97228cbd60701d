import type { User } from '@sendlap/contract/users.ts';
import { retryDelayMs } from '@sendlap/domain/retry.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBrowser, createTab, EVE, NORA, refusal, reply, tokenOf } from '#test/unit/fake-server.ts';
import { runTurns } from '#test/unit/run-turns.ts';

const TOKENS = { access_token: 'first', expires_in: 600 };
const ME = 'GET /v1/auth/me';
const LOGOUT = 'POST /v1/auth/logout';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server whose reply to "who am I" waits for `answer`. */
function createLateMe(browser = createBrowser(), known: User | null = NORA) {
  const asked = Promise.withResolvers<void>();
  const late = Promise.withResolvers<Response>();
  const ask = () => {
    asked.resolve();
    return late.promise;
  };
  const tab = createTab({ [ME]: ask, [LOGOUT]: () => reply({ logout_url: null }) }, browser, known);
  tab.token.set('first', 600);
  const started = tab.session.start();
  /** Answers, to the two repeats of a request that failed too. */
  const answer = async (response: Response) => {
    late.resolve(response);
    for (const attempt of [1, 2]) {
      await runTurns();
      await vi.advanceTimersByTimeAsync(retryDelayMs(attempt));
    }
    return started;
  };
  return { tab, asked: asked.promise, answer };
}

test('a reply to "who am I" that comes after the sign-out does not sign in', async () => {
  const { tab, asked, answer } = createLateMe();
  await asked;
  await tab.session.logout();
  tab.device.profile = null;
  await answer(reply({ user: NORA }));
  expect(tab.session.getState()).toMatchObject({ user: null, checking_auth: false });
  expect(tab.device.profile).toBeNull();
  expect(tab.browser.storage.getItem('signed-in')).toBeNull();
});

test.each([
  ['knows', NORA],
  ['does not know', null],
])('a late reply after a sign-out in another tab signs no user in, if this tab %s its user yet', async (_, known) => {
  const browser = createBrowser();
  const { tab, asked, answer } = createLateMe(browser, known);
  const other = createTab({ [LOGOUT]: () => reply({ logout_url: null }) }, browser);
  await asked;
  await other.session.logout();
  await answer(reply({ user: NORA }));
  expect(tab.session.getState()).toMatchObject({ user: null, checking_auth: false });
});

test.each([
  ['does not come', new Response('<h1>Accept our terms</h1>', { status: 502 })],
  ['refuses the session before', refusal(401, 'unauthenticated')],
  ['is a failure', refusal(400, 'bad_request')],
])('a start whose answer %s drops nothing of a user who signed in in another tab since', async (_, response) => {
  const browser = createBrowser();
  const { tab, asked, answer } = createLateMe(browser, null);
  let dropped = 0;
  tab.session.onSignedOut(() => {
    dropped += 1;
  });
  await asked;
  await createTab({}, browser).session.signIn(NORA, TOKENS);
  // The database of the device is one for all tabs.
  tab.device.profile = NORA;
  await answer(response);
  expect(tab.session.getState()).toMatchObject({ user: NORA, checking_auth: false });
  expect(dropped).toBe(0);
  expect(browser.storage.getItem('signed-in')).not.toBeNull();
});

test.each([
  ['brings the user before', reply({ user: NORA })],
  ['is a failure', refusal(400, 'bad_request')],
])('a late reply does not replace a user who has signed in since, when it %s', async (_, response) => {
  const { tab, asked, answer } = createLateMe();
  const eve = { ...NORA, id: '33333333-3333-4333-8333-333333333333', name: 'Eve' };
  await asked;
  await tab.session.signIn(eve, TOKENS);
  await answer(response);
  expect(tab.session.getState().user).toEqual(eve);
  expect(tab.device.profile).toEqual(eve);
});

test('a late reply that brings the user before one who signed in in another tab is not shown: the app is loaded again', async () => {
  const browser = createBrowser();
  const { tab, asked, answer } = createLateMe(browser, null);
  const eve = { ...NORA, id: '33333333-3333-4333-8333-333333333333', name: 'Eve' };
  await asked;
  await createTab({}, browser).session.signIn(eve, TOKENS);
  await answer(reply({ user: NORA }));
  expect(tab.session.getState()).toMatchObject({ user: null, checking_auth: true });
  expect(tab.device.reloads).toBe(1);
});

test('a late reply that brings the user who signed in in another tab is shown', async () => {
  const browser = createBrowser();
  const { tab, asked, answer } = createLateMe(browser, null);
  await asked;
  await createTab({}, browser).session.signIn(NORA, TOKENS);
  await answer(reply({ user: NORA }));
  expect(tab.session.getState()).toMatchObject({ user: NORA, checking_auth: false });
  expect(tab.device.reloads).toBe(0);
});

test.each([
  ['loads again, and drops nothing, if the device knows that user', EVE, { reloads: 1, dropped: 0, mark: true }],
  ['signs out if the device does not', NORA, { reloads: 0, dropped: 1, mark: false }],
])('a start without an answer whose session is another user’s by now %s', async (_, kept, expected) => {
  const { tab, asked, answer } = createLateMe(createBrowser(), NORA);
  let dropped = 0;
  tab.session.onSignedOut(() => {
    dropped += 1;
  });
  await asked;
  // By another tab.
  tab.device.profile = kept;
  tab.token.set(tokenOf(EVE.id), 600);
  await answer(new Response('<h1>Accept our terms</h1>', { status: 502 }));
  const mark = tab.browser.storage.getItem('signed-in') !== null;
  expect({ reloads: tab.device.reloads, dropped, mark }).toEqual(expected);
});
