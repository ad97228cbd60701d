import { expect, test } from 'vitest';
import { distanceClassOf } from './distance-class.ts';

const center = { latitude: 40.41, longitude: -3.71 };
const now_ms = 1_795_000_000_000;
/** One degree of latitude is 111.19 km on the sphere that the spec uses. */
const northOf = (km: number, accuracy_m = 10, age_ms = 0) => ({
  latitude: center.latitude + km / 111.19,
  longitude: center.longitude,
  accuracy_m,
  measured_at: now_ms - age_ms,
});

test.each([
  ['no position', null, center],
  ['no known center', northOf(0), null],
  ['a position from 16 minutes ago', northOf(0, 10, 16 * 60_000), center],
])('with %s nothing is said', (_, position, place) => {
  expect(distanceClassOf(position, place, now_ms)).toBe('unknown');
});

test.each([
  [0, 'at'],
  [0.159, 'at'],
  [0.17, 'near'],
  [1, 'near'],
  [1.1, 'far'],
  [500, 'far'],
])('%f km away, known to 10 m, is %s', (km, expected) => {
  expect(distanceClassOf(northOf(km), center, now_ms)).toBe(expected);
});

test('a vague position is read in favour of the scanner', () => {
  expect(distanceClassOf(northOf(2, 1_900), center, now_ms)).toBe('at');
});
