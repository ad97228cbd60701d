import type { FoundSportCenter } from '@sendlap/contract/sport-centers.ts';
import { boundingBox, isInBox } from '@sendlap/domain/geo.ts';
import { expect, test } from 'vitest';
import { boxOfSearch } from './camera-box.ts';

const FROM = { latitude: 43.26, longitude: -2.93 };
const SEARCH = { from: FROM, q: '', country: null, city: null, radius_km: null, box: null };

/** A center with only the fields that the camera needs. */
function at(latitude: number, change: Partial<FoundSportCenter> = {}): FoundSportCenter {
  const distance_km = Math.abs(latitude - FROM.latitude) * 111;
  return {
    latitude,
    longitude: FROM.longitude,
    distance_km,
    city: null,
    place_names: [],
    ...change,
  } as FoundSportCenter;
}

test('the camera stays where it is until something is found, and when words find nothing', () => {
  expect(boxOfSearch(SEARCH, undefined)).toBeNull();
  expect(boxOfSearch({ ...SEARCH, radius_km: 5 }, undefined)).toBeNull();
  expect(boxOfSearch({ ...SEARCH, q: 'roca' }, [])).toBeNull();
});

test('the camera shows a requested area, whatever is in it', () => {
  const box = { west: 0, south: 0, east: 1, north: 1 };
  expect(boxOfSearch({ ...SEARCH, box }, undefined)).toBe(box);
});

test('few centers within a radius are looked at closely, none or many within the whole circle', () => {
  const few = boxOfSearch({ ...SEARCH, radius_km: 30 }, [at(43.27), at(43.28)]);
  expect(few?.north).toBeLessThan(43.3);
  expect(few && isInBox(FROM, few)).toBe(true);
  const circle = boundingBox(FROM, 30);
  expect(boxOfSearch({ ...SEARCH, radius_km: 30 }, [])).toEqual(circle);
  expect(boxOfSearch({ ...SEARCH, radius_km: 30 }, Array(51).fill(at(43.27)))).toEqual(circle);
});

test('the nearest are looked at without the one that is far', () => {
  const box = boxOfSearch(SEARCH, [at(43.27), at(43.28), at(43.29), at(48)]);
  expect(box?.north).toBeLessThan(43.4);
});

test('a search for a town frames the centers in it, not those that only bear its name', () => {
  const found = [at(40, { city: 'Bilbao' }), at(41, { place_names: ['London', 'Londres'] }), at(50)];
  expect(boxOfSearch({ ...SEARCH, q: 'londres' }, found)?.south).toBeGreaterThan(40.9);
  expect(boxOfSearch({ ...SEARCH, q: 'LONDRES' }, found)?.north).toBeLessThan(41.1);
  expect(boxOfSearch({ ...SEARCH, q: 'calle' }, found)?.north).toBeGreaterThan(50);
});

test('the camera goes to the centers of a country or a city, however far they are from where the search began', () => {
  const found = [at(51), at(52)];
  for (const region of [{ country: 'GB' }, { city: 'London' }]) {
    const box = boxOfSearch({ ...SEARCH, ...region }, found);
    expect(box?.south).toBeGreaterThan(50.9);
    expect(box?.north).toBeGreaterThan(52);
    expect(boxOfSearch({ ...SEARCH, ...region }, [])).toBeNull();
  }
  const many = [...Array(50).fill(at(51)), at(58)];
  expect(boxOfSearch({ ...SEARCH, country: 'GB' }, many)?.north).toBeLessThan(52);
});
