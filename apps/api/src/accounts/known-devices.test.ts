import { expect, test } from 'vitest';
import { createSecrets } from '#api/database/secrets.ts';
import { createKnownDevices } from './known-devices.ts';

const devices = createKnownDevices(createSecrets('a secret for tests, at least 32 characters long'));
const ADA = { email: 'ada@example.org', password_hash: 'one' };
const personOf = (nth: number) => ({ email: `person${nth}@example.org`, password_hash: 'one' });

test('a mark is of one account, in whatever letter case, and stays the same', () => {
  const cookie = devices.add(undefined, ADA);
  const id = devices.find(cookie, ADA);
  expect(id).toMatch(/^[\w-]{22}$/);
  expect(devices.find(cookie, { ...ADA, email: 'ADA@example.org' })).toBe(id);
  expect(devices.find(devices.add(cookie, ADA), ADA)).toBe(id);
  expect(devices.find(cookie, personOf(1))).toBeUndefined();
  expect(devices.find(devices.add(undefined, ADA), ADA)).not.toBe(id);
});

test('a mark is invalid once the account has another password, or when another server signed it', () => {
  const cookie = devices.add(undefined, ADA);
  expect(devices.find(cookie, { ...ADA, password_hash: 'two' })).toBeUndefined();
  const elsewhere = createKnownDevices(createSecrets('another secret, also at least 32 characters long'));
  expect(elsewhere.find(cookie, ADA)).toBeUndefined();
});

test.each(['', 'x', '.', `${'a'.repeat(22)}.${'b'.repeat(43)}`, `${'a'.repeat(22)}.`, 'a.'.repeat(9_999)])(
  'a made-up cookie holds no mark: %s',
  (cookie) => expect(devices.find(cookie, ADA)).toBeUndefined(),
);

test('a browser that six people share remembers the last five', () => {
  let cookie: string | undefined;
  for (let nth = 1; nth <= 6; nth += 1) cookie = devices.add(cookie, personOf(nth));
  const known = [1, 2, 3, 4, 5, 6].filter((nth) => devices.find(cookie, personOf(nth)) !== undefined);
  expect(known).toEqual([2, 3, 4, 5, 6]);
});
