import type { FoundTown, Town } from '@sendlap/contract/towns.ts';
import { expect, test } from 'vitest';
import type { SearchState } from './search-store.ts';
import type { TownSources } from './towns.ts';
import { understand } from './understood-search.ts';

const MADRID = { kind: 'town' as const, latitude: 40.4, longitude: -3.7, name: 'Madrid', town: null };
const BILBAO = makeTown({ id: 'geonames:1', name: 'Bilbao', population: 345_000, latitude: 43.26, longitude: -2.93 });
const LONDON = makeTown({ id: 'geonames:2', name: 'London', name_es: 'Londres', population: 8_900_000 });
/** In Louisiana. */
const CENTRAL = makeTown({ id: 'geonames:3', name: 'Central', population: 29_000, latitude: 30.6, longitude: -91 });
const HAMLET = makeTown({ id: 'geonames:4', name: 'Roca', population: 40, latitude: 40.5, longitude: -3.6 });
const KNOWN = [BILBAO, LONDON, CENTRAL, HAMLET];

function makeTown(facts: Partial<Town> & Pick<Town, 'id' | 'name' | 'population'>): Town {
  return { name_es: null, country: 'ES', latitude: 51.5, longitude: -0.1, radius_km: 12, ...facts };
}

function read(q: string, change: Partial<SearchState> = {}, towns: Partial<TownSources> = {}) {
  const filters = { sport: null, open_to_all: false, country: null, city: null, radius_km: null, box: null };
  const state: SearchState = { origin: MADRID, home: MADRID, me: null, q, as_words: false, ...filters, ...change };
  const understood = understand(state, { answered: null, cached: KNOWN, ...towns });
  if (!understood) return null;
  const { search, sport, town } = understood;
  return { sport, town: town?.name, q: search.q, filter: search.sport, radius_km: search.radius_km };
}

const found = (town: Town, match: FoundTown['match']): FoundTown[] => [{ ...town, ...(match && { match }) }];
const box = { west: -4, south: 40, east: -3, north: 41 };

test.each<[string, string, Partial<SearchState>?, Partial<TownSources>?]>([
  ['an empty text', ' '],
  ['the name of a center', 'piscina san mames bilbao'],
  ['a town that the device does not know', 'piscina sevilla'],
  ['the beginning of a town', 'piscina bilb'],
  ['a misspelt town alone, which may be the name of a center', 'bilbau'],
  ['a hamlet alone', 'roca'],
  ['a small town at the other end of the world', 'piscina central'],
  ['a town that the server does not know', 'piscina bilbao', {}, { answered: [] }],
  ['a town that only begins so, by the server', 'piscina wie', {}, { answered: found(LONDON, 'beginning') }],
  ['a text that the user wants as words', 'piscina bilbao', { as_words: true }],
  ['a sport beside the filter of another', 'piscina bilbao', { sport: 'climbing' }],
  ['a town in a part of the map', 'piscina bilbao', { box }],
])('%s is searched as words', (_, q, state, towns) => {
  expect(read(q, state, towns)).toBeNull();
});

const SWIMMING = { sport: 'swimming', q: '', filter: 'swimming' };
test.each<[string, object, Partial<SearchState>?, Partial<TownSources>?]>([
  ['piscna Bilbao', { ...SWIMMING, town: 'Bilbao', radius_km: 12 }],
  ['Bilbo piscina', { ...SWIMMING, town: 'Bilbao', radius_km: 12 }],
  ['piscina en londrés', { ...SWIMMING, town: 'London', radius_km: 12 }, { sport: 'swimming' }],
  ['piscina bilbao', { ...SWIMMING, town: 'Bilbao', radius_km: 50 }, { radius_km: 50 }],
  ['piscina roca', { ...SWIMMING, town: 'Roca', radius_km: 12 }],
  ['pool of londinium', { ...SWIMMING, town: 'London', radius_km: 12 }, {}, { answered: found(LONDON, 'name') }],
  ['pisicna', { ...SWIMMING, town: undefined, radius_km: null }],
  ['pisicna', { ...SWIMMING, town: undefined, radius_km: null }, { box }],
  ['nadar', { ...SWIMMING, town: undefined, radius_km: 12 }, { origin: { ...MADRID, town: BILBAO } }],
  ['BILBAO', { sport: null, town: 'Bilbao', q: '', filter: null, radius_km: 12 }],
  ['bilbao', { sport: null, town: 'Bilbao', q: '', filter: 'climbing', radius_km: 12 }, { sport: 'climbing' }],
])('%j is read as %o', (q, expected, state, towns) => {
  expect(read(q, state, towns)).toEqual(expected);
});

test('a town in the text replaces a country and a city, a sport does not', () => {
  const region = { country: 'AT', city: 'Wien' };
  const state: SearchState = {
    ...{ origin: MADRID, home: MADRID, me: null, as_words: false, sport: null, open_to_all: false },
    ...region,
    radius_km: null,
    box: null,
    q: 'piscina bilbao',
  };
  const towns = { answered: null, cached: KNOWN };
  expect(understand(state, towns)?.search).toMatchObject({ country: null, city: null });
  expect(understand({ ...state, q: 'piscina' }, towns)?.search).toMatchObject(region);
});
