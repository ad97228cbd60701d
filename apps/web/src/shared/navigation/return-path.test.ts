import { isScreen, SCREEN_ROOTS } from '@sendlap/contract/wire/screens.ts';
import {
  appendMac,
  encodeActivityCode,
  encodeFriendCode,
  encodeInviteCode,
  encodeVenueCode,
  qrUrl,
} from '@sendlap/domain/qr-code.ts';
import * as fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { isAuthPath, PATHS } from '#web/shared/paths.ts';
import { clearReturnPath, parseReturnPath, readReturnPath, saveReturnPath, shareReturnPath } from './return-path.ts';

const ORIGIN = 'https://sendlap.test';
const NOW = Date.parse('2026-11-20T10:00:00Z');

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
  '/%2f/evil.test',
  '/%2F%2Fevil.test',
  '/%5cevil.test',
  '/%09/evil.test',
  '/%0d%0a/evil.test',
  '/%',
  '//evil.test@sendlap.test/',
  'http://sendlap.test/dashboard',
  'https://sendlap.test.evil.test/',
  'https:/evil.test',
  'https:\\\\evil.test',
  '\\\\evil.test',
  'data:text/html,x',
  'JaVaScRiPt:alert(1)',
  ' //evil.test',
  'https://evil.test/dashboard',
  'javascript:alert(1)',
  'dashboard',
  '/',
  '/login',
  '/register?x=1',
  '/auth/callback?code=1',
  '/auth/callback/',
  '/%6cogin',
])('%j is no place to return to', (text) => {
  expect(parseReturnPath(text, ORIGIN)).toBeNull();
});

test.each(['/dashboard', '/sport-centers?sport=climbing', '/qr/scan#AbC_-9', '/activities/1?a=b#c'])(
  '%s is kept whole',
  (text) => {
    expect(parseReturnPath(text, ORIGIN)).toBe(text);
  },
);

const PIECES = [
  '/',
  '\\',
  '.',
  '..',
  '@',
  ':',
  '\t',
  '\n',
  '%2f',
  '%5C',
  '%09',
  '%0a',
  '%25',
  '%',
  'evil.test',
  'a',
  '?',
  '#',
];

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

test('whatever the text, the stored path leads back into the app', () => {
  const nasty = fc.array(fc.constantFrom(...PIECES), { maxLength: 12, size: 'max' });
  void fc.assert(
    fc.property(fc.constantFrom('/', '', '//', 'https://'), nasty, (begin, parts) => {
      const path = parseReturnPath(begin + parts.join(''), ORIGIN);
      if (path === null) return;
      expect(path.startsWith('/')).toBe(true);
      // Also if a browser, a router or a server decodes the address once more.
      for (const address of [path, decode(path)]) expect(new URL(address, ORIGIN).origin).toBe(ORIGIN);
    }),
    { numRuns: 5000 },
  );
});

test('the server serves the app at its paths, and at no other first segment; the callback path is the contract’s', () => {
  expect(Object.values(PATHS).filter((path) => !isScreen(path))).toEqual([]);
  expect(new Set(Object.values(PATHS).map((path) => path.split('/')[1]))).toEqual(new Set(SCREEN_ROOTS));
  expect(PATHS.callback).toBe('/auth/callback');
  expect([PATHS.login, PATHS.register, PATHS.callback].every(isAuthPath)).toBe(true);
  expect(isAuthPath(PATHS.dashboard)).toBe(false);
});

afterEach(() => vi.unstubAllGlobals());

/** Another tab of the same browser shares `device`. */
function stubTab(device = new Map<string, string>()) {
  const kept = new Map<string, string>();
  const storageOf = (values: Map<string, string>) => ({
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  });
  vi.stubGlobal('location', { origin: ORIGIN });
  vi.stubGlobal('sessionStorage', storageOf(kept));
  vi.stubGlobal('localStorage', storageOf(device));
  return kept;
}

describe('another tab, in which the link of a sign-up’s mail opens,', () => {
  const HOUR_MS = 3_600_000;

  test('returns to the path of the visitor who began, for an hour, and once', () => {
    const device = new Map<string, string>();
    stubTab(device);
    saveReturnPath('/qr/scan#friend', null);
    stubTab(device);
    expect(readReturnPath('nora', NOW)).toBe('/dashboard');

    stubTab(device);
    saveReturnPath('/qr/scan#friend', null);
    shareReturnPath(NOW);
    stubTab(device);
    expect(readReturnPath('nora', NOW + HOUR_MS)).toBe('/dashboard');
    expect(readReturnPath('nora', NOW + HOUR_MS - 1)).toBe('/qr/scan#friend');
    clearReturnPath();
    expect(readReturnPath('nora', NOW)).toBe('/dashboard');
  });

  test('returns neither to the path of a user whose session ended, nor to an older visitor’s', () => {
    for (const user_id of ['nora', undefined]) {
      const device = new Map<string, string>();
      stubTab(device);
      saveReturnPath('/friends', null);
      shareReturnPath(NOW);
      stubTab(device);
      if (user_id !== undefined) saveReturnPath('/activities/1', user_id);
      shareReturnPath(NOW);
      stubTab(device);
      expect(readReturnPath('nora', NOW)).toBe('/dashboard');
    }
  });

  test.each([
    '"x"',
    '[]',
    '{"path":"/friends"}',
    '{"path":1,"expires_at":9e15}',
    '{"path":"//evil.test","expires_at":9e15}',
    '{',
  ])('goes to the dashboard if the device holds %s', (text) => {
    stubTab(new Map([['return-path', text]]));
    expect(readReturnPath('nora', NOW)).toBe('/dashboard');
  });

  test('has its own path first', () => {
    const device = new Map<string, string>();
    stubTab(device);
    saveReturnPath('/friends', null);
    shareReturnPath(NOW);
    stubTab(device);
    saveReturnPath('/stats', null);
    expect(readReturnPath('nora', NOW)).toBe('/stats');
  });
});

test.each([
  ['eve', 'nora', '/dashboard'],
  ['', 'nora', '/dashboard'],
  ['nora', 'nora', '/activities/1'],
  [null, 'nora', '/activities/1'],
])('the page of %j is shown to %s as %s', (was, is, path) => {
  stubTab();
  saveReturnPath('/activities/1', was);
  expect(readReturnPath(is, NOW)).toBe(path);
});

test.each(['/activities/1', '{"path":3', '[]', '{"path":"//evil.test","user_id":null}', '"x"'])(
  'a kept text like %s leads to the dashboard',
  (text) => {
    stubTab().set('return-path', text);
    expect(readReturnPath('nora', NOW)).toBe('/dashboard');
  },
);

const mac = new Uint8Array(16);
const id = '33333333-3333-4333-8333-333333333333';
/** One id for each value of the two bits that share a character of the code with its version and kind. */
const ids = [
  id,
  '73333333-3333-4333-8333-333333333333',
  'b3333333-3333-4333-8333-333333333333',
  'f3333333-3333-4333-8333-333333333333',
];
const activity = {
  public_id: 'ana.bp',
  display_name: 'Ana',
  sport_center_id: id,
  sport_type: 'climbing',
  started_at: 0,
  ended_at: 3_600_000,
  intensity: null,
  distance_m: null,
  step: 1,
  key_id: id,
} as const;
const activityCode = (activity_id: string, paused_s: number) =>
  appendMac(encodeActivityCode({ ...activity, activity_id, paused_s }), mac);
const short_lived = ids.flatMap((first): [string, Uint8Array][] => [
  [`activity ${first}`, activityCode(first, 0)],
  [`paused activity ${first}`, activityCode(first, 60)],
  [`kiosk ${first}`, appendMac(encodeVenueCode({ sport_center_id: first, step: 1, key_id: id }), mac)],
]);
const long_lived = { friend: encodeFriendCode('ana.bp'), invite: encodeInviteCode('abcd-efgh-jkmn') };
const pathOf = (bytes: Uint8Array) => new URL(qrUrl(ORIGIN, new Uint8Array(bytes))).href.slice(ORIGIN.length);

test.each(short_lived)(
  'the code of %s that a phone’s camera opened is in no storage, but available after a sign-in on this page',
  (_, bytes) => {
    const kept = stubTab();
    saveReturnPath(pathOf(bytes), null);
    expect([...kept.values()]).toEqual([JSON.stringify({ path: '/qr/scan', user_id: null })]);
    expect(readReturnPath('nora', NOW)).toBe(pathOf(bytes));
    saveReturnPath('/dashboard', null);
    expect(readReturnPath('nora', NOW)).toBe('/dashboard');
  },
);

test.each(Object.entries(long_lived))('the %s code survives the way over the provider', (_, bytes) => {
  const kept = stubTab();
  saveReturnPath(pathOf(bytes), null);
  expect([...kept.values()].join()).toContain(pathOf(bytes));
});
