import { distanceKm } from '@sendlap/domain/geo.ts';
import { unitsOfRegion } from '@sendlap/domain/units.ts';
import { describe, expect, it } from 'vitest';
import { toRingFeatures } from './map-rings.ts';

const METRIC = { language: 'en', units: unitsOfRegion(undefined) };
const BRITISH = { language: 'en', units: unitsOfRegion('GB') };

describe('distance rings', () => {
  it.each([
    [41.4, 2.2],
    [-70, 179.99],
    [70, -180],
    [0, 0],
  ])('are at the distance that they name around %d, %d', (latitude, longitude) => {
    const origin = { latitude, longitude };
    const ring = toRingFeatures(origin, METRIC).features.find(({ properties }) => properties?.name === '10 km');
    const distances = ring?.geometry.coordinates.map(([east = 0, north = 0]) =>
      distanceKm(origin, { latitude: north, longitude: east }),
    );
    expect(distances?.length).toBeGreaterThan(50);
    for (const distance_km of distances ?? []) expect(distance_km).toBeCloseTo(10, 6);
  });

  it('end at zooms where streets show the distance', () => {
    const { features } = toRingFeatures({ latitude: 42.5, longitude: 1.5 }, METRIC, 12);
    const zooms = features.map(({ properties }) => properties);
    expect(zooms.map((zoom) => zoom?.name)).toContain('10 km');
    expect(zooms.map((zoom) => zoom?.name)).not.toContain('500 m');
    expect(Math.max(...zooms.map((zoom) => zoom?.max_zoom))).toBe(12);
  });

  it('are of whole miles for who chose miles', () => {
    const origin = { latitude: 41.4, longitude: 2.2 };
    const { features } = toRingFeatures(origin, BRITISH);
    expect(features.map(({ properties }) => properties?.name)).toContain('0.5 mi');
    const [corner] = features.find(({ properties }) => properties?.name === '10 mi')?.geometry.coordinates ?? [];
    expect(distanceKm(origin, { latitude: corner?.[1] ?? 0, longitude: corner?.[0] ?? 0 })).toBeCloseTo(16.09344, 6);
  });

  it('are not drawn around nowhere', () => {
    expect(toRingFeatures(null, METRIC).features).toEqual([]);
  });
});
