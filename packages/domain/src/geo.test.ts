import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundingBox, distanceKm, isInBox, isPosition, type Position, sortByDistance } from './geo.ts';

const MADRID = { latitude: 40.4168, longitude: -3.7038 };
const BARCELONA = { latitude: 41.3874, longitude: 2.1686 };
const FULL_TURN_KM = 2 * Math.PI * 6371;

const position = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});

/**
 * Returns the point at `distance_km` and a bearing, independent of haversine: rotates the position as a vector. Uses
 * only atan2, because an arcsine near a pole is off by decimetres.
 */
function destination(from: Position, bearing: number, distance_km: number): Position {
  const rad = Math.PI / 180;
  const [angle, phi, lambda] = [distance_km / 6371, from.latitude * rad, from.longitude * rad];
  const ahead = Math.sin(angle) * Math.cos(bearing);
  const outward = Math.cos(angle) * Math.cos(phi) - ahead * Math.sin(phi);
  const sideward = Math.sin(angle) * Math.sin(bearing);
  const x = outward * Math.cos(lambda) - sideward * Math.sin(lambda);
  const y = outward * Math.sin(lambda) + sideward * Math.cos(lambda);
  const z = Math.cos(angle) * Math.sin(phi) + ahead * Math.cos(phi);
  return { latitude: Math.atan2(z, Math.hypot(x, y)) / rad, longitude: Math.atan2(y, x) / rad };
}

describe('isPosition', () => {
  test.each([
    null,
    'x',
    {},
    { latitude: 1 },
    { latitude: '1', longitude: 1 },
    { latitude: Number.NaN, longitude: 1 },
    { latitude: 1, longitude: Number.POSITIVE_INFINITY },
    { latitude: 90.01, longitude: 0 },
    { latitude: 0, longitude: -180.01 },
  ])('refuses %j', (value) => {
    expect(isPosition(value)).toBe(false);
  });

  test('takes the corners of the world', () => {
    expect(isPosition({ latitude: 90, longitude: -180 })).toBe(true);
    expect(isPosition({ latitude: -90, longitude: 180 })).toBe(true);
  });
});

describe('distanceKm', () => {
  test('Madrid to Barcelona is 505.1 km', () => {
    expect(distanceKm(MADRID, BARCELONA)).toBeCloseTo(505.096, 3);
  });

  test('a quarter of the equator and the way to the antipode follow the radius of 6371 km', () => {
    expect(distanceKm({ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 90 })).toBeCloseTo(FULL_TURN_KM / 4, 9);
    expect(distanceKm({ latitude: 10, longitude: 20 }, { latitude: -10, longitude: -160 })).toBeCloseTo(
      FULL_TURN_KM / 2,
      3,
    );
  });

  test('it is short across the antimeridian', () => {
    expect(distanceKm({ latitude: 0, longitude: 179.9 }, { latitude: 0, longitude: -179.9 })).toBeCloseTo(22.24, 2);
  });

  test('it agrees with the law of cosines on the sphere', () => {
    fc.assert(
      fc.property(position, position, (a, b) => {
        const rad = Math.PI / 180;
        const cosine =
          Math.sin(a.latitude * rad) * Math.sin(b.latitude * rad) +
          Math.cos(a.latitude * rad) * Math.cos(b.latitude * rad) * Math.cos((b.longitude - a.longitude) * rad);
        expect(distanceKm(a, b)).toBeCloseTo(6371 * Math.acos(Math.max(-1, Math.min(1, cosine))), 2);
        expect(distanceKm(a, b)).toBeCloseTo(distanceKm(b, a), 9);
      }),
    );
  });
});

describe('boundingBox', () => {
  test('a circle that holds a pole has all longitudes', () => {
    expect(boundingBox({ latitude: 89.9, longitude: 10 }, 50)).toMatchObject({ west: -180, east: 180, north: 90 });
    expect(boundingBox({ latitude: -89.9, longitude: 10 }, 50)).toMatchObject({ west: -180, east: 180, south: -90 });
    expect(boundingBox(MADRID, 30_000)).toEqual({ west: -180, south: -90, east: 180, north: 90 });
  });

  test('a circle across the antimeridian has its west east of its east', () => {
    const box = boundingBox({ latitude: 0, longitude: 179.9 }, 50);
    expect(box.west).toBeCloseTo(179.45, 2);
    expect(box.east).toBeCloseTo(-179.65, 2);
    expect(isInBox({ latitude: 0, longitude: -179.8 }, box)).toBe(true);
    expect(isInBox({ latitude: 0, longitude: 0 }, box)).toBe(false);
  });

  test('it holds every point of the circle', () => {
    fc.assert(
      fc.property(
        position,
        fc.double({ min: 0, max: 5000, noNaN: true }),
        fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
        (center, radius_km, bearing) =>
          isInBox(destination(center, bearing, radius_km), boundingBox(center, radius_km)),
      ),
      { numRuns: 20_000 },
    );
  });

  test('it is no larger than needed: each of its edges touches the circle', () => {
    const box = boundingBox(MADRID, 100);
    const edges = { west: Number.POSITIVE_INFINITY, south: Number.POSITIVE_INFINITY, east: -180, north: -90 };
    for (let step = 0; step < 7200; step += 1) {
      const point = destination(MADRID, (step * Math.PI) / 3600, 100);
      edges.west = Math.min(edges.west, point.longitude);
      edges.east = Math.max(edges.east, point.longitude);
      edges.south = Math.min(edges.south, point.latitude);
      edges.north = Math.max(edges.north, point.latitude);
    }
    expect(box.west).toBeCloseTo(edges.west, 6);
    expect(box.east).toBeCloseTo(edges.east, 6);
    expect(box.south).toBeCloseTo(edges.south, 6);
    expect(box.north).toBeCloseTo(edges.north, 6);
  });
});

test('isInBox looks at all four sides', () => {
  const box = { west: 0, south: 0, east: 10, north: 10 };
  expect(isInBox({ latitude: 0, longitude: 10 }, box)).toBe(true);
  for (const [latitude, longitude] of [
    [-1, 5],
    [11, 5],
    [5, -1],
    [5, 11],
  ] as const) {
    expect(isInBox({ latitude, longitude }, box)).toBe(false);
  }
});

test('sortByDistance puts the nearest first, equals by id, and leaves the list alone', () => {
  const far = { id: 'a', ...BARCELONA };
  const twin = { id: 'c', latitude: 40.5, longitude: -3.7 };
  const near = { id: 'b', latitude: 40.5, longitude: -3.7 };
  const list = [far, twin, near];
  const sorted = sortByDistance(list, MADRID);
  expect(sorted.map(({ id }) => id)).toEqual(['b', 'c', 'a']);
  expect(sorted[2]?.distance_km).toBe(distanceKm(MADRID, BARCELONA));
  expect(list).toEqual([far, twin, near]);
});

test('a quarter of the way around an earth of 6,371 km is 10,007.543 km, along the equator and over a pole [spec 9.geo.earth-radius]', () => {
  const zero = { latitude: 0, longitude: 0 };
  expect(distanceKm(zero, { latitude: 0, longitude: 90 })).toBeCloseTo(10_007.543, 3);
  expect(distanceKm(zero, { latitude: 90, longitude: 17 })).toBeCloseTo(10_007.543, 3);
});
