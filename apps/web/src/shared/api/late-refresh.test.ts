import { getMe } from '@sendlap/contract/auth.ts';
import { expect, test } from 'vitest';
import { createBrowser, createTab, EVE, NORA, refusal, reply, tokenOf } from '#test/unit/fake-server.ts';
import { runTurns } from '#test/unit/run-turns.ts';

const TOKENS = { access_token: 'first', expires_in: 600 };
const REFRESH = 'POST /v1/auth/refresh';
const LOGOUT = 'POST /v1/auth/logout';
const loggedOut = () => reply({ logout_url: null });
const silence = () => new Promise<Response>(() => {});

test.each(['in this tab', 'in another tab'])(
  'a refresh that waits for its answer at a sign-out %s is aborted: late, its cookie would replace that of the next user',
  async (where) => {
    const browser = createBrowser();
    const tab = createTab({ [REFRESH]: silence, [LOGOUT]: loggedOut }, browser);
    const other = createTab({ [LOGOUT]: loggedOut }, browser);
    for (const each of [tab, other]) await each.session.signIn(NORA, TOKENS);
    const refreshed = expect(tab.refreshOnce('first')).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
    await runTurns();
    await (where === 'in this tab' ? tab : other).session.logout();
    await refreshed;
    expect(tab.requests.find(({ url }) => url.endsWith('/refresh'))?.signal.aborted).toBe(true);
  },
);

test('a refresh whose proof is made while the user signs out is not sent', async () => {
  const tab = createTab({ [REFRESH]: silence, [LOGOUT]: loggedOut });
  await tab.session.signIn(NORA, TOKENS);
  const left = Promise.withResolvers<string>();
  tab.device.prove = () => {
    left.resolve(tab.session.logout());
    return null;
  };
  await expect(tab.refreshOnce('first')).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
  await left.promise;
  expect(tab.sent).toEqual([LOGOUT]);
});

test('a refresh that is aborted as another tab was refused is retried, and a user who has signed in since stays signed in', async () => {
  const answers = [silence(), Promise.resolve(reply({ access_token: tokenOf(NORA.id), expires_in: 600 }))];
  const browser = createBrowser();
  const tab = createTab({ [REFRESH]: () => answers.shift() ?? refusal(401, 'refresh_invalid') }, browser);
  await tab.session.signIn(NORA, TOKENS);
  const refreshed = expect(tab.refreshOnce('first')).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
  await runTurns();
  browser.tabs[0]?.({ type: 'ended', user_id: NORA.id });
  await refreshed;
  await runTurns();
  expect([tab.session.getState().user, tab.token.getValid()]).toEqual([NORA, tokenOf(NORA.id)]);
});

test.each(['a call', 'a check', 'the start'] as const)(
  '%s whose refresh such a tab aborts does not sign its user out, as only the server may',
  async (asker) => {
    const answers = [silence(), Promise.resolve(reply({ access_token: tokenOf(NORA.id), expires_in: 600 }))];
    const browser = createBrowser();
    const tab = createTab({ [REFRESH]: () => answers.shift() ?? refusal(401, 'refresh_invalid') }, browser, NORA);
    if (asker !== 'the start') await tab.session.signIn(NORA, { ...TOKENS, expires_in: 0 });
    const asked = {
      'a call': () => tab.call(getMe, {}),
      'a check': () => tab.session.check(),
      'the start': () => tab.session.start(),
    }
      [asker]?.()
      .catch(() => {});
    await runTurns();
    browser.tabs[0]?.({ type: 'ended', user_id: NORA.id });
    await asked;
    await runTurns();
    expect([tab.session.getState().user, tab.token.getValid()]).toEqual([NORA, tokenOf(NORA.id)]);
  },
);

test('a sign-in waits for the refresh of another tab or of the worker, whose cookie would replace the new one', async () => {
  const browser = createBrowser();
  const answered = Promise.withResolvers<Response>();
  const worker = createTab({ [REFRESH]: () => answered.promise }, browser);
  const tab = createTab({}, browser);
  const order: string[] = [];
  const refreshed = worker.refreshOnce(null).then(() => order.push('answered'));
  await runTurns();
  const entered = tab.session.signInWith(async () => {
    order.push('asked');
    return { user: EVE, tokens: TOKENS };
  });
  await runTurns();
  answered.resolve(reply({ access_token: tokenOf(NORA.id), expires_in: 600 }));
  await Promise.all([refreshed, entered]);
  expect([order, tab.session.getState().user]).toEqual([['answered', 'asked'], EVE]);
});

test('a profile that is saved late, while its user signs out here or in another tab, is not written', async () => {
  const browser = createBrowser();
  const answered = Promise.withResolvers<Response>();
  const tab = createTab({ [LOGOUT]: () => answered.promise }, browser);
  await tab.session.signIn(NORA, TOKENS);
  const [late, written] = [Promise.withResolvers<void>(), { ...NORA, name: 'Nora R.' }];
  tab.device.beforeSave = () => late.promise;
  const saved = tab.session.updateUser(written);
  const left = tab.session.logout();
  await runTurns();
  late.resolve();
  await saved;
  expect(tab.device.has_user).toBe(false);
  answered.resolve(loggedOut());
  await left;
});
