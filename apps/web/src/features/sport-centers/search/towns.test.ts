import 'fake-indexeddb/auto';
import type { Town } from '@sendlap/contract/towns.ts';
import { foldTownName } from '@sendlap/domain/towns.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { NORA, reply } from '#test/unit/fake-server.ts';
import { session } from '#web/shared/api/client.ts';
import { saveMetadata } from '#web/shared/copies/metadata.ts';
import { countryName, townName } from '#web/shared/data/town-names.ts';
import { deleteUserData, openCache } from '#web/shared/local-db/database.ts';
import { findTown, hasName, rememberTowns, suggestTowns } from './towns.ts';

const LONDON = makeTown({
  id: 'geonames:1',
  name: 'London',
  name_es: 'Londres',
  country: 'GB',
  population: 8_900_000,
});
const LONDRES = makeTown({
  id: 'geonames:2',
  name: 'Londres',
  country: 'AR',
  population: 2_000,
  latitude: -27.7,
  longitude: -67.1,
});
const LONDRINA = makeTown({
  id: 'geonames:3',
  name: 'Londrina',
  country: 'BR',
  population: 500_000,
  latitude: -23.3,
  longitude: -51.2,
});
const MADRID = { latitude: 40.4, longitude: -3.7 };
const CACHED = [LONDRES, LONDRINA, LONDON];

function makeTown(change: Partial<Town>): Town {
  const at = { latitude: 51.5, longitude: -0.1, radius_km: 30 };
  return { id: 'geonames:0', name: 'Town', name_es: null, country: 'ES', population: 1, ...at, ...change };
}

afterEach(async () => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await (await openCache()).clear('metadata');
});

test('no town is suggested for one letter, nor for letters that no town begins with', () => {
  expect(suggestTowns('l', { answered: null, cached: CACHED, from: MADRID })).toEqual([]);
  expect(suggestTowns('ondres', { answered: null, cached: CACHED, from: MADRID })).toEqual([]);
});

test('until the server says it, known towns are suggested: whole names first, in either language, then the biggest', () => {
  expect(suggestTowns('lond', { answered: null, cached: CACHED, from: MADRID })).toEqual([LONDON, LONDRINA, LONDRES]);
  expect(suggestTowns('londres', { answered: null, cached: [...CACHED, LONDON], from: MADRID })).toEqual([
    LONDON,
    LONDRES,
  ]);
});

test('the answer of the server replaces the cached towns, and at most three rows are shown', () => {
  expect(suggestTowns('lond', { answered: [], cached: CACHED, from: MADRID })).toEqual([]);
  const answered = [LONDRES, LONDON, LONDRINA, makeTown({ name: 'Londorf' })];
  expect(suggestTowns('lond', { answered, cached: [], from: MADRID })).toEqual([LONDON, LONDRINA, LONDRES]);
});

test('a town of half the size that is near comes before one at the other end of the world', () => {
  const far = makeTown({ id: 'geonames:5', name: 'Bilimora', population: 900_000, latitude: 20.8, longitude: 72.9 });
  const near = makeTown({ id: 'geonames:6', name: 'Bilbao', population: 345_000, latitude: 43.26, longitude: -2.93 });
  expect(suggestTowns('bil', { answered: [far, near], cached: [], from: MADRID })).toEqual([near, far]);
});

test('a town is meant by its whole name in English or Spanish, however it is typed', () => {
  expect(hasName(LONDON, foldTownName(' LONDRES '))).toBe(true);
  expect(hasName(LONDON, foldTownName('Londr'))).toBe(false);
  expect(hasName(LONDRES, '')).toBe(false);
});

test('towns are named in the language of the screen, and so are their countries', () => {
  expect([townName(LONDON, 'es'), townName(LONDON, 'en'), townName(LONDRINA, 'es')]).toEqual([
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
  await rememberTowns([LONDON, LONDRES], NORA.id);
  await rememberTowns([LONDRES, LONDRINA], NORA.id);
  expect(await findTown({ id: LONDON.id, name: 'London' })).toEqual(LONDON);
  await saveMetadata('last_preload', 1);
  await deleteUserData();
  expect(await findTown({ id: LONDON.id, name: 'London' })).toBeNull();
});

test('an address from elsewhere names a town that the server knows: by its id, else by its name', async () => {
  const items = [LONDRINA, LONDRES, LONDON];
  vi.stubGlobal('fetch', async () => reply({ items, next_cursor: null }));
  expect(await findTown({ id: LONDON.id, name: 'London' })).toEqual(LONDON);
  expect(await findTown({ id: '', name: 'londrés' })).toEqual(LONDRES);
  expect(await findTown({ id: 'geonames:77', name: 'Lond' })).toBeNull();
});
