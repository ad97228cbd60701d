import 'fake-indexeddb/auto';
import type { Place } from '@sendlap/contract/places.ts';
import { foldPlaceName } from '@sendlap/domain/places.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { NORA, reply } from '#test/unit/fake-server.ts';
import { session } from '#web/shared/api/client.ts';
import { saveMetadata } from '#web/shared/copies/metadata.ts';
import { openCache, wipeUser } from '#web/shared/local-db/database.ts';
import { countryName } from './country-name.ts';
import { findPlace, isCalled, placeName, rememberPlaces, suggestPlaces } from './places.ts';

const LONDON = makePlace({
  id: 'geonames:1',
  name: 'London',
  name_es: 'Londres',
  country: 'GB',
  population: 8_900_000,
});
const LONDRES = makePlace({
  id: 'geonames:2',
  name: 'Londres',
  country: 'AR',
  population: 2_000,
  latitude: -27.7,
  longitude: -67.1,
});
const LONDRINA = makePlace({
  id: 'geonames:3',
  name: 'Londrina',
  country: 'BR',
  population: 500_000,
  latitude: -23.3,
  longitude: -51.2,
});
const MADRID = { latitude: 40.4, longitude: -3.7 };
const KNOWN = [LONDRES, LONDRINA, LONDON];

function makePlace(change: Partial<Place>): Place {
  const at = { latitude: 51.5, longitude: -0.1, radius_km: 30 };
  return { id: 'geonames:0', name: 'Town', name_es: null, country: 'ES', population: 1, ...at, ...change };
}

afterEach(async () => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await (await openCache()).clear('metadata');
});

test('nothing is suggested for one letter, nor for what no town begins with', () => {
  expect(suggestPlaces('l', { answered: null, known: KNOWN, from: MADRID })).toEqual([]);
  expect(suggestPlaces('ondres', { answered: null, known: KNOWN, from: MADRID })).toEqual([]);
});

test('until the server says it, known towns are suggested: whole names first, in either language, then the biggest', () => {
  expect(suggestPlaces('lond', { answered: null, known: KNOWN, from: MADRID })).toEqual([LONDON, LONDRINA, LONDRES]);
  expect(suggestPlaces('londres', { answered: null, known: [...KNOWN, LONDON], from: MADRID })).toEqual([
    LONDON,
    LONDRES,
  ]);
});

test('what the server says counts, and never takes more than three rows', () => {
  expect(suggestPlaces('lond', { answered: [], known: KNOWN, from: MADRID })).toEqual([]);
  const answered = [LONDRES, LONDON, LONDRINA, makePlace({ name: 'Londorf' })];
  expect(suggestPlaces('lond', { answered, known: [], from: MADRID })).toEqual([LONDON, LONDRINA, LONDRES]);
});

test('a town of half the size that is near comes before one at the other end of the world', () => {
  const far = makePlace({ id: 'geonames:5', name: 'Bilimora', population: 900_000, latitude: 20.8, longitude: 72.9 });
  const near = makePlace({ id: 'geonames:6', name: 'Bilbao', population: 345_000, latitude: 43.26, longitude: -2.93 });
  expect(suggestPlaces('bil', { answered: [far, near], known: [], from: MADRID })).toEqual([near, far]);
});

test('a town is meant by its whole name in English or Spanish, however it is typed', () => {
  expect(isCalled(LONDON, foldPlaceName(' LONDRES '))).toBe(true);
  expect(isCalled(LONDON, foldPlaceName('Londr'))).toBe(false);
  expect(isCalled(LONDRES, '')).toBe(false);
});

test('towns are named in the language of the screen, and so are their countries', () => {
  expect([placeName(LONDON, 'es'), placeName(LONDON, 'en'), placeName(LONDRINA, 'es')]).toEqual([
    'Londres',
    'London',
    'Londrina',
  ]);
  expect([countryName('ES', 'es'), countryName('GB', 'en'), countryName('?', 'en')]).toEqual([
    'España',
    'United Kingdom',
    '?',
  ]);
});

test('a town seen before is found without the server, until its user leaves', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
  vi.stubGlobal('navigator', { onLine: false });
  vi.spyOn(session, 'getState').mockReturnValue({ ...session.getState(), user: NORA });
  await rememberPlaces([LONDON, LONDRES], NORA.id);
  await rememberPlaces([LONDRES, LONDRINA], NORA.id);
  expect(await findPlace({ id: LONDON.id, name: 'London' })).toEqual(LONDON);
  await saveMetadata('last_preload', 1);
  await wipeUser();
  expect(await findPlace({ id: LONDON.id, name: 'London' })).toBeNull();
});

test('an address from elsewhere names a town that the server knows: by its id, else by its name', async () => {
  const items = [LONDRINA, LONDRES, LONDON];
  vi.stubGlobal('fetch', async () => reply({ items, next_cursor: null }));
  expect(await findPlace({ id: LONDON.id, name: 'London' })).toEqual(LONDON);
  expect(await findPlace({ id: '', name: 'londrés' })).toEqual(LONDRES);
  expect(await findPlace({ id: 'geonames:77', name: 'Lond' })).toBeNull();
});
