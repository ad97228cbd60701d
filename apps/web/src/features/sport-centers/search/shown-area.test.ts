import { distanceKm } from '@sendlap/domain/geo.ts';
import { expect, test } from 'vitest';
import type { SearchState } from './search-store.ts';
import { middleOf, shownArea } from './shown-area.ts';

const HOME = { kind: 'town' as const, latitude: 40.4168, longitude: -3.7038, name: 'Madrid', town: null };
const START: SearchState = {
  origin: HOME,
  home: HOME,
  me: null,
  q: '',
  as_words: false,
  sport: null,
  open_to_all: false,
  country: null,
  city: null,
  radius_km: null,
  box: null,
};
const BILBAO = {
  id: 'geonames:3128026',
  name: 'Bilbao',
  name_es: null,
  country: 'ES',
  latitude: 43.263,
  longitude: -2.935,
  radius_km: 12,
  population: 345_000,
};

test('words are looked for everywhere, which is no area', () => {
  expect(shownArea({ ...START, q: 'roca' })).toBeNull();
});

test('a picked town is the area itself, and the town of a first visit gives its name', () => {
  expect(shownArea({ ...START, origin: { ...HOME, town: BILBAO } })).toBe(BILBAO);
  expect(shownArea(START)).toMatchObject({ id: 'area:40.42,-3.7,10', name: 'Madrid', radius_km: 10 });
});

test('around the device the area is known to a kilometre only', () => {
  const origin = { kind: 'device' as const, latitude: 43.263456, longitude: -2.935432 };
  const area = shownArea({ ...START, origin, radius_km: 0.4 });
  expect(area).toMatchObject({ id: 'area:43.26,-2.94,2', name: null, latitude: 43.26, longitude: -2.94, radius_km: 2 });
});

test('a box is covered from its middle to its corners, also across the antimeridian', () => {
  const box = { west: 179.9, south: -16.1, east: -179.9, north: -15.9 };
  const area = shownArea({ ...START, box });
  expect(middleOf(box)).toEqual({ latitude: -16, longitude: 180 });
  expect(area?.radius_km).toBeGreaterThanOrEqual(distanceKm(middleOf(box), { latitude: -15.9, longitude: -179.9 }));
  expect(shownArea({ ...START, box: { west: -90, south: -40, east: 90, north: 40 } })?.radius_km).toBe(50);
});

test('a country or a city is no area, unless a part of the map is looked at', () => {
  expect(shownArea({ ...START, country: 'ES' })).toBeNull();
  expect(shownArea({ ...START, city: 'Bilbao' })).toBeNull();
  const box = { west: -3, south: 43, east: -2.9, north: 43.1 };
  expect(shownArea({ ...START, country: 'ES', box })).not.toBeNull();
});
