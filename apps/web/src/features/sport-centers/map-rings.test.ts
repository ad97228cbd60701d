import { distanceKm } from '@sendlap/domain/geo.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toRingFeatures } from './map-rings.ts';

describe('distance rings', () => {
  it('lie at the distance that they name, wherever they are drawn', () => {
    const place = fc.record({
      latitude: fc.double({ min: -70, max: 70, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    fc.assert(
      fc.property(place, (origin) => {
        const ring = toRingFeatures(origin, 'en').features.find(({ properties }) => properties?.name === '10 km');
        for (const [longitude = 0, latitude = 0] of ring?.geometry.coordinates ?? [[0, 0]]) {
          expect(distanceKm(origin, { latitude, longitude })).toBeCloseTo(10, 6);
        }
      }),
    );
  });

  it('are not drawn around nowhere', () => {
    expect(toRingFeatures(null, 'en').features).toEqual([]);
  });
});
