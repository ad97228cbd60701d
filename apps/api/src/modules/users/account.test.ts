import { randomUUID } from 'node:crypto';
import { getMe, refresh } from '@sendlap/contract/auth.ts';
import { endAllSessions, getSettings, listSessions, updateSettings } from '@sendlap/contract/users.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSessions } from '#api/sessions/sessions.ts';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';

let api: TestApp;
let other_node: TestApp;
beforeAll(async () => {
  api = await buildTestApp();
  other_node = await buildTestApp({ database_url: api.database_url });
});
afterAll(async () => {
  await other_node.close();
  await api.close();
});

async function call(who: SignedIn, method: 'GET' | 'PATCH' | 'DELETE', url: string, payload?: object, node = api) {
  const reply = await node.app.inject({ method, url, headers: who.headers, ...(payload ? { payload } : {}) });
  const cleared = reply.cookies.some((cookie) => cookie.name.endsWith('_refresh') && cookie.value === '');
  return { status: reply.statusCode, cleared, ...reply.json() };
}

const isSignedIn = async (who: SignedIn, node = api) =>
  (await call(who, 'GET', getMe.path, undefined, node)).status === 200;

/** Starts another session of the same user. */
async function signInAgain(who: SignedIn, device_name: string): Promise<SignedIn> {
  const sessions = createSessions({ database: api.database, secrets: api.secrets });
  const { access_token: token, session_id, refresh_token } = await sessions.create(who.user.id, device_name);
  return { user: who.user, token, session_id, refresh_token, headers: { authorization: `Bearer ${token}` } };
}

describe('settings', () => {
  const rename = (who: SignedIn, display_name: unknown) => call(who, 'PATCH', updateSettings.path, { display_name });

  test.each([
    ['empty', ''],
    ['blank', '   '],
    ['invisible', '\u202e\u2066'],
    ['41 characters', 'a'.repeat(41)],
    ['41 climbers', '🧗'.repeat(41)],
    ['a number', 5],
    ['null', null],
  ])('a name that is %s is refused', async (_what, name) => {
    const ada = await api.signIn('Ada');
    expect(await rename(ada, name)).toMatchObject({ status: 400, code: 'validation_failed' });
    expect((await call(ada, 'GET', getSettings.path)).data).toMatchObject({ display_name: 'Ada' });
  });

  test('the name is cleaned, kept, and shown as the name of the user; no other user changes', async () => {
    const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
    expect((await rename(ada, '  Ana\u202e   Lo\u0301pez ')).data).toMatchObject({ display_name: 'Ana L\u00f3pez' });
    expect((await rename(ada, '🧗'.repeat(40))).status).toBe(200);
    expect((await call(ada, 'GET', getMe.path)).data.user.name).toBe('🧗'.repeat(40));
    expect((await call(bea, 'GET', getSettings.path)).data).toMatchObject({ display_name: 'Bea' });
  });

  test('omitted fields stay', async () => {
    const ada = await api.signIn('Ada');
    expect((await call(ada, 'PATCH', updateSettings.path, {})).data).toMatchObject({ display_name: 'Ada' });
  });
});

describe('sessions', () => {
  test("another user's session, an unknown and an ended one are the same 404, and nothing ends", async () => {
    const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
    const old = await signInAgain(ada, 'Old phone');
    await call(ada, 'DELETE', `${listSessions.path}/${old.session_id}`);
    for (const id of [bea.session_id, randomUUID(), old.session_id]) {
      const reply = await call(ada, 'DELETE', `${listSessions.path}/${id}`);
      expect(reply).toMatchObject({ status: 404, code: 'session_not_found', cleared: false });
    }
    expect(await isSignedIn(bea)).toBe(true);
    expect((await call(ada, 'DELETE', `${listSessions.path}/1`)).status).toBe(400);
  });

  test('the list shows my live sessions and which one asks', async () => {
    const ada = await api.signIn('Ada');
    const phone = await signInAgain(ada, 'Firefox on Android');
    await api.signIn('Bea');
    const { items } = (await call(phone, 'GET', listSessions.path)).data;
    expect(items.map((item: { id: string }) => item.id)).toEqual([phone.session_id, ada.session_id]);
    expect(items.map((item: { current: boolean }) => item.current)).toEqual([true, false]);
    expect(items[0]).toMatchObject({ device_name: 'Firefox on Android' });
    expect(Object.keys(items[0])).toEqual(['id', 'device_name', 'created_at', 'last_used_at', 'current']);
  });

  test('a user may have any number of them; the list shows the newest 100', async () => {
    const ada = await api.signIn('Ada');
    const others = await Promise.all(Array.from({ length: 104 }, (_, nth) => signInAgain(ada, `Phone ${nth}`)));
    expect(await isSignedIn(ada)).toBe(true);
    for (const other of others) expect(await isSignedIn(other)).toBe(true);
    expect((await call(ada, 'GET', listSessions.path)).data.items).toHaveLength(100);
    expect(await call(ada, 'DELETE', endAllSessions.path)).toMatchObject({ status: 200 });
    for (const session of [ada, ...others]) expect(await isSignedIn(session)).toBe(false);
  });

  // Within 5 s: recent-changes.test.ts checks that with its own clock, because a busy machine takes longer.
  test('ending a session ends it here at once and on another node soon, and leaves the others', async () => {
    const ada = await api.signIn('Ada');
    const phone = await signInAgain(ada, 'Phone');
    expect(await isSignedIn(phone, other_node)).toBe(true);
    const reply = await call(ada, 'DELETE', `${listSessions.path}/${phone.session_id}`);
    expect(reply).toMatchObject({ status: 200, cleared: false });
    expect(await isSignedIn(phone)).toBe(false);
    await expect.poll(() => isSignedIn(phone, other_node)).toBe(false);
    expect(await isSignedIn(ada)).toBe(true);
    expect(await isSignedIn(ada, other_node)).toBe(true);
  });

  test('ending the current session also clears the cookie of its browser', async () => {
    const ada = await api.signIn('Ada');
    const reply = await call(ada, 'DELETE', `${listSessions.path}/${ada.session_id}`);
    expect(reply).toMatchObject({ status: 200, cleared: true });
    expect(await isSignedIn(ada)).toBe(false);
  });

  test('signing out everywhere ends all my sessions, their refresh tokens too, and no other user’s', async () => {
    const [ada, bea] = [await api.signIn('Ada'), await api.signIn('Bea')];
    const phone = await signInAgain(ada, 'Phone');
    expect(await call(ada, 'DELETE', endAllSessions.path)).toMatchObject({ status: 200, cleared: true });
    expect([await isSignedIn(ada), await isSignedIn(phone), await isSignedIn(bea)]).toEqual([false, false, true]);
    for (const { refresh_token } of [ada, phone]) {
      const headers = { origin: 'http://localhost:8000', 'sec-fetch-site': 'same-origin' };
      const cookies = { '__Host-sendlap_refresh': refresh_token };
      const reply = await api.app.inject({ method: 'POST', url: refresh.path, headers, cookies });
      expect([reply.statusCode, reply.json().code]).toEqual([401, 'refresh_invalid']);
    }
    await expect.poll(() => isSignedIn(phone, other_node)).toBe(false);
  });
});
