import { expect, test } from 'vitest';
import { createBrowser, createTab, EVE, NORA, refusal, reply, tokenOf } from '#test/unit/fake-server.ts';
import { runTurns } from '#test/unit/run-turns.ts';

const TOKENS = { access_token: tokenOf(NORA.id), expires_in: 600 };
const ME = 'GET /v1/auth/me';
const REFRESH = 'POST /v1/auth/refresh';

/** A tab that could read nothing and reach no server when it started, in a browser where Nora is signed in. */
async function startWithoutAnswer() {
  const network = { refresh: (): Response | Error => new TypeError('Failed to fetch') };
  const answers = { [ME]: () => reply({ user: NORA }), [REFRESH]: () => network.refresh() };
  const browser = createBrowser();
  browser.storage.setItem('signed-in', 'an id');
  const tab = createTab(answers, browser, NORA);
  Object.assign(tab.device, { online: false, is_unreadable: true });
  let tryAgain = () => {};
  tab.device.waitForRetry = () =>
    new Promise((resolve) => {
      tryAgain = resolve;
    });
  let dropped = 0;
  tab.session.onSignedOut(() => {
    dropped += 1;
  });
  await tab.session.start();
  await runTurns();
  expect(tab.session.getState()).toMatchObject({ user: null, checking_auth: false });
  const retry = async () => {
    tryAgain();
    await runTurns();
    return { ...tab.session.getState(), dropped };
  };
  return { tab, network, retry };
}

test('a tab that could read nothing shows its user as soon as the device can be read, without the server', async () => {
  const { tab, retry } = await startWithoutAnswer();
  expect(await retry()).toMatchObject({ user: null });
  tab.device.is_unreadable = false;
  expect(await retry()).toMatchObject({ user: NORA, dropped: 0 });
});

test('or as soon as the server answers, without the device', async () => {
  const { tab, network, retry } = await startWithoutAnswer();
  expect(await retry()).toMatchObject({ user: null });
  tab.device.online = true;
  network.refresh = () => reply(TOKENS);
  expect(await retry()).toMatchObject({ user: NORA, dropped: 0 });
});

test('it is not tried again after the server has refused, or after a user has signed in', async () => {
  const refused = await startWithoutAnswer();
  refused.network.refresh = () => refusal(401, 'refresh_invalid');
  expect(await refused.retry()).toMatchObject({ user: null, dropped: 1 });
  const { length } = refused.tab.sent;
  await refused.retry();
  expect(refused.tab.sent).toHaveLength(length);

  const { tab, retry } = await startWithoutAnswer();
  await tab.session.signIn(EVE, { ...TOKENS, access_token: tokenOf(EVE.id) });
  const sent = tab.sent.length;
  expect(await retry()).toMatchObject({ user: EVE });
  expect(tab.sent).toHaveLength(sent);
});

test('while it is tried again, the sign-in page does not turn into one that waits', async () => {
  const { tab, retry } = await startWithoutAnswer();
  const waiting: boolean[] = [];
  tab.session.subscribe(() => void waiting.push(tab.session.getState().checking_auth));
  await retry();
  expect(waiting).not.toContain(true);
});
