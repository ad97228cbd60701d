import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import { type CenterQuery, searchCenters } from '@sendlap/domain/sport-centers.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildCenterIndex } from './center-index.ts';

const SPORTS = ['climbing', 'swimming'] as const;
const WORDS = ['Roc', 'Piscina', 'Älta', 'Saint-Denis', 'Boulder', 'Club'];
const CITIES = ['Málaga', 'Bilbao', 'Fiji', null];

// A coarse grid: many centers at the very same place, on box edges, at the antimeridian and at the poles.
const latitude = fc.oneof(
  fc.integer({ min: -9, max: 9 }).map((at) => at * 10),
  fc.double({ min: 43, max: 43.2, noNaN: true }),
);
const longitude = fc.oneof(
  fc.integer({ min: -18, max: 18 }).map((at) => at * 10),
  fc.double({ min: -3, max: -2.8, noNaN: true }),
);

const center = fc.record({
  id: fc.uuid({ version: 4 }),
  name: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 }).map((words) => words.join(' ')),
  city: fc.constantFrom(...CITIES),
  country: fc.constantFrom('ES', 'FJ', null),
  address: fc.constantFrom('Calle Mayor 1', null),
  latitude,
  longitude,
  is_private: fc.constantFrom(true, false, null),
  sport_facilities: fc.subarray([...SPORTS], { minLength: 1 }).map((sports) => sports.map((type) => ({ type }))),
}) as unknown as fc.Arbitrary<SportCenter>;

const centers = fc.uniqueArray(center, { selector: ({ id }) => id, maxLength: 150 });

const position = fc.record({ latitude, longitude });
const filters = fc.record(
  {
    q: fc.constantFrom('roc', 'denis', 'MALAGA', 'mayor boulder'),
    city: fc.constantFrom('mal', 'bilbao'),
    country: fc.constantFrom('ES', 'fj'),
    sport: fc.constantFrom(...SPORTS),
    is_private: fc.boolean(),
    bbox: fc.record({
      west: longitude,
      south: fc.constantFrom(-90, 0, 43),
      east: longitude,
      north: fc.constantFrom(43.1, 90),
    }),
  },
  { requiredKeys: [] },
);
const around = fc.record({ radius_km: fc.double({ min: 0.1, max: 500, noNaN: true }) }, { requiredKeys: [] });
const query: fc.Arbitrary<CenterQuery> = fc.oneof(
  fc.tuple(filters, fc.record({ sort: fc.constant('name' as const) }, { requiredKeys: [] })).map(merge),
  fc
    .tuple(filters, position, around, fc.record({ sort: fc.constantFrom('name', 'distance') }, { requiredKeys: [] }))
    .map(merge),
);

function merge(parts: object[]): CenterQuery {
  return Object.assign({}, ...parts) as CenterQuery;
}

describe('the index of sport centers', () => {
  it('finds what the search of the domain finds, in the same order', () => {
    fc.assert(
      fc.property(centers, query, (all, asked) => {
        const hits = buildCenterIndex(all).search(asked);
        const found = hits.map(({ center, distance_km }) => ({ ...center, distance_km }));
        expect(found).toEqual(searchCenters(all, asked));
      }),
      { numRuns: 300 },
    );
  });

  it('finds the nearest as the first of all by distance', () => {
    fc.assert(
      fc.property(
        centers,
        filters,
        position,
        around,
        fc.integer({ min: 1, max: 20 }),
        (all, asked, from, reach, limit) => {
          const nearest = buildCenterIndex(all).nearest({ ...asked, ...from, ...reach }, limit);
          const expected = searchCenters(all, { ...asked, ...from, ...reach, sort: 'distance' }).slice(0, limit);
          expect(nearest.map((hit) => hit.center.id)).toEqual(expected.map(({ id }) => id));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('finds centers on both sides of the antimeridian', () => {
    const [east, west] = [179.99, -179.99].map((at, number) => ({
      ...fc.sample(center, { numRuns: 1, seed: number })[0],
      id: `${number}`,
      latitude: -16,
      longitude: at,
    })) as [SportCenter, SportCenter];
    const hits = buildCenterIndex([east, west]).search({ latitude: -16, longitude: 179.995, radius_km: 5 });
    expect(hits.map((hit) => hit.center.longitude)).toEqual([179.99, -179.99]);
  });
});
