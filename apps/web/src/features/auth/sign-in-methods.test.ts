import { expect, test } from 'vitest';
import { isDemoOffered } from './sign-in-methods.ts';

test.each([
  ['a production build', { dev: false, hostname: 'localhost', enabled: true }],
  ['another machine', { dev: true, hostname: 'sendlap.example', enabled: true }],
  ['a name that only begins like this machine’s', { dev: true, hostname: 'localhost.evil.test', enabled: true }],
  ['an address of the network', { dev: true, hostname: '192.168.1.7', enabled: true }],
])('the demo-user switch is missing in %s [spec 2.demo.dev-only, 6.demo.localhost]', (_, surroundings) => {
  expect(isDemoOffered(surroundings)).toBe(false);
});

test('the demo-user switch is missing unless it was requested [spec 2.demo.disabled]', () => {
  expect(isDemoOffered({ dev: true, hostname: 'localhost', enabled: false })).toBe(false);
});

test.each(['localhost', '127.0.0.1', '[::1]'])(
  'a developer on %s may ask for it [spec 6.demo.localhost]',
  (hostname) => {
    expect(isDemoOffered({ dev: true, hostname, enabled: true })).toBe(true);
  },
);
