import 'fake-indexeddb/auto';
import type { Tokens } from '@sendlap/contract/auth.ts';
import type { Town } from '@sendlap/contract/towns.ts';
import type { User } from '@sendlap/contract/users.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { EVE, NORA, reply } from '#test/unit/fake-server.ts';

const MADRID = { kind: 'town' as const, latitude: 40.4, longitude: -3.7, name: 'Madrid', town: null };
const ME = { latitude: 43.26345678, longitude: -2.93543219, accuracy_m: 12 };
const BILBAO: Town = {
  id: 'geonames:3128026',
  name: 'Bilbao',
  name_es: null,
  country: 'ES',
  latitude: 43.263,
  longitude: -2.935,
  radius_km: 12,
  population: 345_000,
};

afterEach(() => {
  vi.unstubAllGlobals();
  indexedDB.deleteDatabase('sendlap-cache');
});

/** The store of a fresh page load; the test sees its state as a screen would. */
async function openPage() {
  vi.resetModules();
  // The pages of other tests must not act as tabs of this browser.
  vi.stubGlobal('BroadcastChannel', undefined);
  vi.doMock('react', async (original) => ({
    ...(await original<typeof import('react')>()),
    useSyncExternalStore: (_: unknown, read: () => unknown) => read(),
  }));
  const store = await import('./search-store.ts');
  const { session } = await import('#web/shared/api/client.ts');
  const { openCache } = await import('#web/shared/local-db/database.ts');
  const { loadMetadata } = await import('#web/shared/copies/metadata.ts');
  const signIn = async (user: User) => session.signIn(user, { access_token: '', expires_in: 60 } as Tokens);
  const current = () => {
    const state = store.useSearchState(session.getState().user?.id ?? null);
    if (!state) throw new Error('the search has not begun');
    return state;
  };
  return { ...store, ...session, current, loadMetadata, signIn, close: async () => (await openCache()).close() };
}

test('another user starts afresh, without the previous user’s words and place', async () => {
  const page = await openPage();
  await page.signIn(NORA);
  await page.beginSearch(NORA.id, MADRID, '');
  page.searchAroundMe(ME);
  page.changeText('secret');
  await page.logout();
  await page.signIn(EVE);
  expect(page.useSearchState(EVE.id)).toBeNull();
  expect(page.useSearchState(NORA.id)).toBeNull();
  await page.beginSearch(EVE.id, MADRID, '');
  expect(page.current()).toMatchObject({ q: '', me: null, origin: MADRID });
  await page.close();
});

test('a search is shown to its owner only', async () => {
  const page = await openPage();
  await page.beginSearch(NORA.id, MADRID, '');
  expect(page.useSearchState(EVE.id)).toBeNull();
  expect(page.useSearchState(null)).toBeNull();
  expect(page.useSearchState(NORA.id)).toMatchObject({ origin: MADRID });
  await page.close();
});

test('a search that was still beginning when its user left does not begin', async () => {
  const answer = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => answer.promise);
  const page = await openPage();
  const begun = page.beginSearch(NORA.id, MADRID, '?place=Bilbao&place_id=geonames%3A3128026');
  await vi.waitFor(() => page.loadMetadata('places-seen'));
  const left = page.logout();
  answer.resolve(reply({ items: [BILBAO], next_cursor: null }));
  await Promise.all([begun, left]);
  expect(page.useSearchState(NORA.id)).toBeNull();
  await page.close();
});

test('a search after a sign-out is not stored for the previous user', async () => {
  const page = await openPage();
  await page.signIn(NORA);
  await page.beginSearch(NORA.id, MADRID, '');
  await page.logout();
  page.searchAroundMe(ME);
  page.searchAroundTown(BILBAO);
  await page.signIn(EVE);
  await page.beginSearch(EVE.id, MADRID, '');
  page.searchAroundMe({ ...ME, latitude: 10 });
  await vi.waitFor(async () => expect(await page.loadMetadata('sport-centers-last-place')).toBeDefined());
  expect(await page.loadMetadata('sport-centers-last-place')).toMatchObject({ latitude: 10 });
  expect(await page.loadMetadata('places-seen')).toBeUndefined();
  await page.close();
});

test('a sign-out that a page learns of late leaves the visitor’s search, also one that is still beginning', async () => {
  const page = await openPage();
  await page.signIn(NORA);
  await page.beginSearch(null, MADRID, 'q=roca');
  await page.logout();
  expect(page.current()).toMatchObject({ q: 'roca' });
  await page.signIn(EVE);
  vi.stubGlobal('fetch', async () => reply({ items: [BILBAO], next_cursor: null }));
  const begun = page.beginSearch(null, MADRID, '?place=Bilbao&place_id=geonames%3A3128026');
  await page.logout();
  await begun;
  expect(page.current()).toMatchObject({ origin: { name: 'Bilbao' } });
  await page.close();
});

test('an address never says where the device is', async () => {
  const page = await openPage();
  await page.signIn(NORA);
  await page.beginSearch(NORA.id, MADRID, '');
  page.searchAroundMe(ME);
  expect(page.toQueryString(page.current())).toBe('near=me');
  page.changeText('roca');
  expect(page.toQueryString(page.current())).toBe('q=roca&near=me');
  await page.close();
});

test('the same address and none continue the current search; another one begins its own', async () => {
  const page = await openPage();
  await page.beginSearch(null, MADRID, 'q=roca&sport=climbing');
  expect(page.current()).toMatchObject({ q: 'roca', sport: 'climbing', radius_km: null });
  const before = page.current();
  await page.beginSearch(null, MADRID, '');
  await page.beginSearch(null, MADRID, '?q=roca&sport=climbing');
  expect(page.current()).toBe(before);
  await page.beginSearch(null, MADRID, '?q=agua');
  expect(page.current()).toMatchObject({ q: 'agua', sport: null });
  await page.close();
});

test('an address with a town leads around it, as far as its people go', async () => {
  vi.stubGlobal('fetch', async () => reply({ items: [BILBAO], next_cursor: null }));
  const page = await openPage();
  await page.beginSearch(null, MADRID, '?place=Bilbao&place_id=geonames%3A3128026');
  expect(page.current()).toMatchObject({ origin: { kind: 'town', name: 'Bilbao' }, radius_km: 12, q: '' });
  await page.beginSearch(null, MADRID, '?place=Bilbao&place_id=geonames%3A3128026&q=roca');
  expect(page.current()).toMatchObject({ origin: { name: 'Bilbao' }, radius_km: null, q: 'roca' });
  await page.close();
});

test('a town that this device does not know is searched by its name', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
  vi.stubGlobal('navigator', { onLine: false });
  const page = await openPage();
  await page.beginSearch(null, MADRID, '?place=Bilbao&place_id=geonames%3A3128026');
  expect(page.current()).toMatchObject({ origin: MADRID, q: 'Bilbao', radius_km: null });
  await page.close();
});

test('a picked town replaces words and area, and letting it go leads back to where the search began', async () => {
  const page = await openPage();
  await page.beginSearch(null, MADRID, '');
  page.changeText('bilb');
  page.searchAroundTown(BILBAO);
  expect(page.current()).toMatchObject({ q: '', origin: { town: BILBAO }, radius_km: 12, box: null });
  page.clearSearch();
  expect(page.current()).toMatchObject({ q: '', origin: MADRID, radius_km: null });
  page.searchAroundMe(ME);
  page.searchAroundTown(BILBAO);
  page.clearSearch();
  expect(page.current().origin).toEqual({ kind: 'device', latitude: ME.latitude, longitude: ME.longitude });
  await page.close();
});

test('the last place is kept to a kilometre, and only for its user', async () => {
  const page = await openPage();
  await page.signIn(NORA);
  await page.beginSearch(NORA.id, MADRID, '');
  page.searchAroundMe(ME);
  await vi.waitFor(async () => expect(await page.loadMetadata('sport-centers-last-place')).toBeDefined());
  await page.close();
  const next = await openPage();
  await next.signIn(NORA);
  await next.beginSearch(NORA.id, MADRID, '');
  expect(next.current().origin).toEqual({ kind: 'map', latitude: 43.26, longitude: -2.94 });
  await next.close();
});

test('a city is searched everywhere: it replaces town, radius and area, and is replaced by each of them', async () => {
  const page = await openPage();
  await page.beginSearch(null, MADRID, '?country=ES&city=Bilbao&km=5');
  expect(page.current()).toMatchObject({ country: 'ES', city: 'Bilbao', radius_km: 5, origin: MADRID });
  const region = { country: 'AT', city: 'Wien' };
  const nothing = { country: null, city: null };
  const box = { west: 1, south: 1, east: 2, north: 2 };
  const replacements = [
    () => page.searchAroundTown(BILBAO),
    () => page.searchInBox(box, { latitude: 1.5, longitude: 1.5 }),
    () => page.searchAroundMe(ME),
  ];
  for (const replace of replacements) {
    page.changeRegion(region);
    expect(page.current()).toMatchObject({ ...region, radius_km: null, box: null });
    expect(page.current().origin.kind === 'town' && page.current().origin).not.toMatchObject({ town: BILBAO });
    expect(page.toQueryString(page.current())).toBe('country=AT&city=Wien');
    replace();
    expect(page.current()).toMatchObject(nothing);
  }
  page.changeRegion(region);
  page.changeRadius(25);
  page.changeText('roca');
  expect(page.current()).toMatchObject({ ...region, q: 'roca' });
  page.changeText('');
  page.changeRadius(25);
  page.changeRegion(nothing);
  expect(page.current()).toMatchObject({ ...nothing, radius_km: 25 });
  await page.close();
});
