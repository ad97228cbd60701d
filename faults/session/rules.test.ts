import { expect, test } from 'vitest';
import { breakRefreshes, countRefreshes, rotateStrictly } from './rules.ts';

const REFRESH = '/v1/auth/refresh';
const withToken = (token: string) => ({ path: REFRESH, cookie: `__Host-sendlap_refresh=${token}` });

test('Strict rotation lets a refresh token pass once, and refuses it the second time', () => {
  const rule = rotateStrictly();
  expect(rule(withToken('one'))).toBe('pass');
  expect(rule(withToken('two'))).toBe('pass');
  expect(rule(withToken('one'))).toMatchObject({ status: 401, body: { code: 'refresh_invalid' } });
});

test('A share of 1 breaks every refresh, a share of 0 none, and neither breaks another request', () => {
  expect(['lost', 'unanswered', 'cut']).toContain(breakRefreshes(1)(withToken('one')));
  expect(breakRefreshes(0)(withToken('one'))).toBe('pass');
  expect(breakRefreshes(1)({ path: '/v1/auth/me', cookie: '' })).toBe('pass');
});

test('Refreshes are counted with those that did not pass', () => {
  const counted = countRefreshes(rotateStrictly());
  for (const token of ['one', 'one', 'two']) counted.rule(withToken(token));
  counted.rule({ path: '/v1/auth/me', cookie: '' });
  expect([counted.refreshes(), counted.misfortunes()]).toEqual([3, 1]);
});
