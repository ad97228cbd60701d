import { CALLBACK_PATH } from '@sendlap/contract/auth.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAuthPath, PATHS } from './paths.ts';
import { returnPathOf } from './return-path.ts';

const ORIGIN = 'https://sendlap.test';

test.each([
  null,
  '',
  '//evil.test',
  '///evil.test',
  '/\\evil.test',
  '/\t/evil.test',
  '/\n//evil.test',
  '/.//evil.test',
  '/..//evil.test',
  'https://evil.test/dashboard',
  'javascript:alert(1)',
  'dashboard',
  '/',
  '/login',
  '/register?x=1',
  '/auth/callback?code=1',
])('%j is no place to return to', (text) => {
  expect(returnPathOf(text, ORIGIN)).toBeNull();
});

test.each(['/dashboard', '/sport-centers?sport=climbing', '/qr/scan#AbC_-9', '/activities/1?a=b#c'])(
  '%s is kept whole',
  (text) => {
    expect(returnPathOf(text, ORIGIN)).toBe(text);
  },
);

test('whatever the text, what is kept leads back into the app', () => {
  const nasty = fc.array(fc.constantFrom('/', '\\', '.', '..', '@', ':', '\t', '%2f', 'evil.test', 'a', '?', '#'));
  void fc.assert(
    fc.property(nasty, (parts) => {
      const path = returnPathOf(`/${parts.join('')}`, ORIGIN);
      if (path !== null) expect(new URL(path, ORIGIN).origin).toBe(ORIGIN);
    }),
  );
});

test('the callback path is the contract’s', () => {
  expect(PATHS.callback).toBe(CALLBACK_PATH);
  expect([PATHS.login, PATHS.register, PATHS.callback].every(isAuthPath)).toBe(true);
  expect(isAuthPath(PATHS.dashboard)).toBe(false);
});
