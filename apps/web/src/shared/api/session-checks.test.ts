import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTab, NORA, refusal, reply } from '#test/unit/fake-server.ts';
import { PATHS } from '#web/shared/paths.ts';
import { scheduleSessionChecks } from './session.ts';

const MINUTE_MS = 60_000;
const REFRESH = 'POST /v1/auth/refresh';
const TOKENS = { access_token: 'first', expires_in: 600 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A tab with the fake clock, checked as the app does it. */
function createChecked(refresh: () => Response, path: () => string = () => PATHS.dashboard) {
  const tab = createTab({ [REFRESH]: refresh });
  const begin = Date.now();
  Object.defineProperty(tab.device, 'now', { get: () => Date.now() - begin });
  const stop = scheduleSessionChecks(tab.session, path);
  return { tab, stop };
}

const good = () => reply({ access_token: 'second', expires_in: 600 });

test('the session is checked every 15 minutes, not earlier, and an expired token is refreshed [spec 4.periodic.interval, 4.periodic.refresh, 9.session.interval]', async () => {
  const { tab, stop } = createChecked(good);
  await tab.session.signIn(NORA, TOKENS);
  await vi.advanceTimersByTimeAsync(15 * MINUTE_MS - 1);
  expect(tab.sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(tab.sent).toEqual([REFRESH]);
  await vi.advanceTimersByTimeAsync(15 * MINUTE_MS);
  expect(tab.sent).toHaveLength(2);
  stop();
  await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
  expect(tab.sent).toHaveLength(2);
});

test('without a signed-in user nothing is checked [spec 4.periodic.signed-in-only]', async () => {
  const { tab, stop } = createChecked(good);
  await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
  expect(tab.sent).toEqual([]);
  stop();
});

test('nothing is checked on the callback path [spec 4.periodic.skip]', async () => {
  let path: string = '/auth/callback/';
  const { tab, stop } = createChecked(good, () => path);
  await tab.session.signIn(NORA, TOKENS);
  await vi.advanceTimersByTimeAsync(30 * MINUTE_MS);
  expect(tab.sent).toEqual([]);
  path = PATHS.dashboard;
  await vi.advanceTimersByTimeAsync(15 * MINUTE_MS);
  expect(tab.sent).toEqual([REFRESH]);
  stop();
});

test('a refused refresh logs out, and says why [spec 4.periodic.logout]', async () => {
  const { tab, stop } = createChecked(() => refusal(401, 'refresh_invalid'));
  await tab.session.signIn(NORA, TOKENS);
  await vi.advanceTimersByTimeAsync(15 * MINUTE_MS);
  expect(tab.session.getState()).toMatchObject({
    user: null,
    error: 'Authentication failed - please login again',
  });
  stop();
});

test.each([429, 503])('a server that answers %i does not sign out [spec 4.refresh.429]', async (status) => {
  const { tab, stop } = createChecked(() => refusal(status, 'later'));
  await tab.session.signIn(NORA, TOKENS);
  await vi.advanceTimersByTimeAsync(45 * MINUTE_MS);
  expect(tab.session.getState().user).toEqual(NORA);
  expect(tab.token.getLatest()).toBe('first');
  stop();
});

test('a renewed token replaces one that is still valid', async () => {
  const tab = createTab({ [REFRESH]: good });
  await tab.session.signIn(NORA, TOKENS);
  await tab.session.renew();
  expect(tab.token.getValid()).toBe('second');
});
