import { startActivity } from '@sendlap/contract/activities.ts';
import { getMe } from '@sendlap/contract/auth.ts';
import { describe, expect, test } from 'vitest';
import { createBrowser, createTab, EVE, NORA, refusal, reply, tokenOf } from '#test/unit/fake-server.ts';
import { isTokenOf, readSessionId } from './token-owner.ts';

const ID = '22222222-2222-4222-8222-222222222222';
const START = {
  client_id: ID,
  op_id: ID,
  sport_center_id: ID,
  sport_type: 'climbing',
  started_at: '2026-11-21T10:00:00Z',
} as const;
const REFRESH = 'POST /v1/auth/refresh';
const ME = 'GET /v1/auth/me';
/** The browser's cookie now belongs to Eve. */
const EVES = {
  [REFRESH]: () => reply({ access_token: tokenOf(EVE.id), expires_in: 600 }),
  [ME]: ({ headers }: Request) =>
    headers.get('authorization') === `Bearer ${tokenOf(EVE.id)}`
      ? reply({ user: EVE })
      : refusal(401, 'unauthenticated'),
  'POST /v1/activities': () => reply({}),
};
const NORAS = { access_token: tokenOf(NORA.id), expires_in: 600 };

/** A tab that shows Nora and whose token has expired. */
async function createNorasTab(browser = createBrowser()) {
  const tab = createTab(EVES, browser);
  await tab.session.signIn(NORA, NORAS);
  tab.device.now = 900_000;
  let dropped = 0;
  tab.session.onSignedOut(() => {
    dropped += 1;
  });
  return { tab, dropped: () => dropped };
}

describe('a tab that shows one user while another owns the cookie', () => {
  test('sends no call as that other one, and starts over once', async () => {
    const { tab, dropped } = await createNorasTab();
    const calls = [tab.call(startActivity, { body: START }), tab.call(getMe, {})];
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
    await expect(tab.call(startActivity, { body: START })).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
    expect(new Set(tab.sent)).toEqual(new Set([REFRESH]));
    expect([tab.device.reloads, dropped()]).toEqual([1, 0]);
    expect(tab.session.getState()).toMatchObject({ user: NORA, error: null });
  });

  test('is not signed out by its check', async () => {
    const { tab } = await createNorasTab();
    await tab.session.check();
    expect(tab.session.getState().user).toEqual(NORA);
    expect(tab.device.reloads).toBe(1);
  });

  test('shows the other one after starting over, and nothing of the first is left', async () => {
    const browser = createBrowser();
    const again = createTab(EVES, browser, NORA);
    const profiles: (string | undefined)[] = [];
    again.session.onSignedOut(() => void profiles.push(again.session.getState().user?.name));
    await again.session.start();
    expect(again.session.getState()).toMatchObject({ user: EVE, checking_auth: false });
    // Dropped while Nora was still shown, before Eve's sign-in.
    expect(profiles).toEqual(['Nora']);
    expect(again.device.profile).toEqual(EVE);
    expect(again.device.reloads).toBe(0);
  });

  test('sends nothing as the other one while it still finds out who that is', async () => {
    const tab = createTab({ ...EVES, [ME]: () => refusal(503, 'unavailable') }, createBrowser(), NORA);
    tab.device.online = false;
    tab.token.set(tokenOf(EVE.id), 600);
    const started = tab.session.start();
    await Promise.resolve();
    await Promise.resolve();
    expect(tab.session.getState()).toMatchObject({ user: NORA, checking_auth: true });
    await expect(tab.call(startActivity, { body: START })).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
    await started;
    expect(tab.sent).not.toContain('POST /v1/activities');
    // The user is unknown, but it is not Nora: no reload, which would end in the same state again.
    expect([tab.device.reloads, tab.session.getState().user]).toEqual([0, null]);
  });

  test('takes no token of the other one from another tab', async () => {
    const browser = createBrowser();
    const { tab } = await createNorasTab(browser);
    const eves = createTab(EVES, browser);
    eves.token.clear();
    await eves.refreshOnce(null);
    expect([tab.token.getLatest(), tab.device.reloads]).toEqual([null, 1]);
    expect(eves.token.getValid()).toBe(tokenOf(EVE.id));
  });
});

test('a user who signs in over another finds none of the other’s data', async () => {
  const tab = createTab({}, createBrowser(), NORA);
  const dropped: (string | undefined)[] = [];
  tab.session.onSignedOut(() => void dropped.push(tab.session.getState().user?.name));
  await tab.session.signIn(EVE, { access_token: tokenOf(EVE.id), expires_in: 600 });
  expect(dropped).toEqual([undefined]);
  await tab.session.signIn(EVE, { access_token: tokenOf(EVE.id), expires_in: 600 });
  expect(dropped).toHaveLength(1);
});

test.each([
  ['of this user', tokenOf(NORA.id), true],
  ['of another user', tokenOf(EVE.id), false],
  ['that is no JWT', 'opaque', true],
  ['with a payload that is no JSON', 'a.b.c', true],
  ['without a subject', `e30.${btoa('{}')}.x`, true],
  ['whose payload is null', `e30.${btoa('null')}.x`, true],
])('a token %s may be used for this user: %s', (_, token, expected) => {
  expect(isTokenOf(token, NORA.id)).toBe(expected);
});

test('a token says which session it is of, where it can be read', () => {
  const token = (claims: unknown) => `e30.${btoa(JSON.stringify(claims))}.x`;
  expect(readSessionId(token({ sub: NORA.id, sid: ID }))).toBe(ID);
  for (const unreadable of [token({ sid: 7 }), token(null), 'opaque', 'a.%.c'])
    expect(readSessionId(unreadable)).toBeNull();
});
