import { getMe } from '@sendlap/contract/auth.ts';
import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import { changePublicId } from '@sendlap/contract/friends.ts';
import { getDeletion, getSettings } from '@sendlap/contract/users.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { createSessions } from '../sessions/sessions.ts';

let api: TestApp;
beforeAll(async () => {
  api = await buildTestApp({ listen: true });
});
afterAll(() => api.close());
afterEach(() => vi.restoreAllMocks());

async function signInLocked() {
  const { user } = await api.signIn('Ada');
  await api.database.updateTable('users').set({ is_active: false }).where('id', '=', user.id).execute();
  const { database, secrets } = api;
  const { access_token } = await createSessions({ database, secrets }).create(user.id, 'Test');
  return { user, headers: { authorization: `Bearer ${access_token}` } };
}

async function ask(url: string, headers: Record<string, string>) {
  const reply = await fetch(api.url + url, { headers });
  return { status: reply.status, ...((await reply.json()) as { code?: string; data?: unknown }) };
}

describe('a locked account', () => {
  test('is refused everywhere else, live events included, the first time and later', async () => {
    const { headers } = await signInLocked();
    for (const path of [getSettings.path, EVENTS_PATH, getSettings.path, EVENTS_PATH]) {
      expect(await ask(path, headers)).toMatchObject({ status: 409, code: 'account_locked' });
    }
  });

  test('may read itself and when it ends', async () => {
    const { headers, user } = await signInLocked();
    expect(await ask(getMe.path, headers)).toMatchObject({ status: 200, data: { user: { id: user.id } } });
    expect((await ask(getDeletion.path, headers)).status).toBe(200);
  });
});

describe('two nodes on one database', () => {
  test('show a change of the user on both within 5 seconds, at once where it was made', async () => {
    const ada = await api.signIn('Ada');
    const other = await buildTestApp({ database_url: api.database_url });
    const idOn = async (node: TestApp) => {
      const reply = await node.app.inject({ url: getMe.path, headers: ada.headers });
      return reply.json().data.user.public_id;
    };
    expect([await idOn(api), await idOn(other)]).toEqual([ada.user.public_id, ada.user.public_id]);
    const payload = { public_id: 'ada_on_two_nodes' };
    const { method, path: url } = changePublicId;
    const changed = await api.app.inject({ method, url, headers: ada.headers, payload });
    expect(changed.statusCode).toBe(200);
    expect(await idOn(api)).toBe('ada_on_two_nodes');
    // Moves the clock 5 s ahead: on a busy machine real seconds are unreliable.
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 5_000);
    expect(await idOn(other)).toBe('ada_on_two_nodes');
    await other.close();
  });
});
