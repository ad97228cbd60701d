import { expect, test, vi } from 'vitest';
import { createTab, NORA, reply } from '#test/unit/fake-server.ts';
import { createAccessToken } from './access-token.ts';

test('a token counts as expired 30 s before its real expiry [spec 3.access-token.expiry, 4.token.margin, 9.token.margin]', () => {
  let now = 1_000;
  const token = createAccessToken(() => now);
  token.set('t', 600);
  now += 569_999;
  expect(token.getValid()).toBe('t');
  now += 1;
  expect(token.getValid()).toBeNull();
  expect(token.getLatest()).toBe('t');
});

test('a token with no known expiry counts as expired [spec 4.token.unknown-expiry]', () => {
  const token = createAccessToken(() => 0);
  token.set('t', undefined);
  expect(token.getValid()).toBeNull();
  expect(token.getLatest()).toBe('t');
});

test('a token without an expiry of the server is refreshed before it is used [spec 4.token.unknown-expiry]', async () => {
  const { completeUserReply } = await import('./user-reply.ts');
  const { getMe, login } = await import('@sendlap/contract/auth.ts');
  const tab = createTab({
    'POST /v1/auth/login': () => Response.json({ user: NORA, tokens: { access_token: 'unknown' } }),
    'POST /v1/auth/refresh': () => reply({ access_token: 'known', expires_in: 600 }),
    'GET /v1/auth/me': () => reply({ user: NORA }),
  });
  const body = { email: NORA.email, password: 'x' };
  const { user, tokens } = await tab.call(login, { body }, { normalizeReply: completeUserReply });
  await tab.session.signIn(user, tokens);
  await tab.call(getMe, {});
  expect(tab.requests.map(({ headers }) => headers.get('authorization'))).toEqual([null, null, 'Bearer known']);
});

test('the token is written to no storage of the browser [spec 3.access-token.memory]', async () => {
  const writes: string[] = [];
  const spy = (where: string) => ({
    getItem: () => null,
    setItem: (...parts: string[]) => void writes.push(`${where} ${parts.join(' ')}`),
    removeItem: () => {},
  });
  vi.stubGlobal('localStorage', spy('local'));
  vi.stubGlobal('sessionStorage', spy('session'));
  const tab = createTab({ 'POST /v1/auth/refresh': () => reply({ access_token: 'secret-2', expires_in: 600 }) });
  const { setItem } = tab.browser.storage;
  tab.browser.storage.setItem = (key, value) => {
    writes.push(`wired ${key} ${value}`);
    setItem(key, value);
  };
  await tab.session.signIn(NORA, { access_token: 'secret-1', expires_in: 600 });
  await tab.session.renew();
  expect(tab.token.getValid()).toBe('secret-2');
  // The tab stores that a user is signed in, so the spy works; it stores nothing of the token.
  expect(writes).toContainEqual(expect.stringMatching(/^wired signed-in /));
  expect(writes.join('\n')).not.toContain('secret');
  expect(JSON.stringify(tab.device.profile)).not.toContain('secret');
  vi.unstubAllGlobals();
});
