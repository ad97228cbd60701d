import { distanceKm } from '@sendlap/domain/geo.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildTownCircles } from './town-circles.ts';

const position = fc.record({
  latitude: fc.oneof(fc.double({ min: -1, max: 1, noNaN: true }), fc.double({ min: 89.5, max: 90, noNaN: true })),
  // Both sides of the date line, where west is greater than east.
  longitude: fc.oneof(
    fc.double({ min: 179.5, max: 180, noNaN: true }),
    fc.double({ min: -180, max: -179.5, noNaN: true }),
  ),
});

describe('buildTownCircles', () => {
  it('holds nothing where there are no towns', () => {
    expect(
      buildTownCircles(0, () => ({ latitude: 0, longitude: 0, radius_km: 2 })).containing({
        latitude: 0,
        longitude: 0,
      }),
    ).toEqual([]);
  });

  it('finds a town across the date line', () => {
    const circles = buildTownCircles(1, () => ({ latitude: 0, longitude: 179.99, radius_km: 5 }));
    expect(circles.containing({ latitude: 0, longitude: -179.99 })).toEqual([0]);
    expect(circles.containing({ latitude: 0, longitude: -179.9 })).toEqual([]);
  });

  it('finds the same towns as a walk over all circles, at the date line and the pole too', () => {
    const circle = fc
      .tuple(position, fc.constantFrom(2, 3, 5, 8, 12, 20, 30))
      .map(([at, radius_km]) => ({ ...at, radius_km }));
    fc.assert(
      fc.property(fc.array(circle, { minLength: 1, maxLength: 60 }), position, (all, here) => {
        const circles = buildTownCircles(
          all.length,
          (number) => all[number] ?? { latitude: 0, longitude: 0, radius_km: 0 },
        );
        const expected = [...all.entries()].filter(([, one]) => distanceKm(one, here) <= one.radius_km);
        expect(circles.containing(here)).toEqual(expected.map(([number]) => number));
      }),
    );
  });
});
