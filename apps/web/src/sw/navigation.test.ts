import { expect, test } from 'vitest';
import { isCallback, isShellNavigation } from './navigation.ts';

const url = (path: string) => new URL(path, 'https://sendlap.test');

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

test('only the callback itself is the callback', () => {
  expect(isCallback(url('/auth/callback?code=1&state=2'))).toBe(true);
  expect(isCallback(url('/auth/callback/other'))).toBe(false);
});
