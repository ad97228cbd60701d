import { afterEach, expect, test, vi } from 'vitest';
import { answerNavigation, isCallback, isShellNavigation } from './navigation.ts';

const url = (path: string) => new URL(path, 'https://sendlap.test');

afterEach(() => void vi.unstubAllGlobals());

test.each([
  '/v1',
  '/v1/auth/me',
  '/oidc/auth?x=1',
  '/oidc',
  '/healthz',
  '/readyz',
  '/docs/',
  '/favicon.svg',
  '/kiosk.webmanifest',
  '/auth/callback?code=1',
])('the shell does not answer for %s', (path) => {
  expect(isShellNavigation(url(path))).toBe(false);
});

test.each([
  '/',
  '/login?error=x',
  '/dashboard',
  '/sport-centers/1',
  '/kiosk#abc',
  '/kiosk/set-up',
  '/qr/scan#abc',
  '/v1x',
  '/healthzone',
])('the shell answers for %s', (path) => {
  expect(isShellNavigation(url(path))).toBe(true);
});

test('only the exact callback path counts as the callback', () => {
  expect(isCallback(url('/auth/callback?code=1&state=2'))).toBe(true);
  expect(isCallback(url('/auth/callback/other'))).toBe(false);
});

test.each([
  ['/dashboard', true, 'shell'],
  ['/auth/callback?code=1', true, 'network'],
  ['/auth/callback?code=1', false, 'shell'],
  ['/v1/auth/me', true, 'network'],
])('a navigation to %s with network %j is answered by the %s', async (path, is_online, source) => {
  vi.stubGlobal('fetch', async () => (is_online ? new Response('network') : Promise.reject(new TypeError('offline'))));
  const context = { url: url(path), request: new Request(url(path)) };
  const response = await answerNavigation(context, async () => new Response('shell'));
  expect(await response.text()).toBe(source);
});
