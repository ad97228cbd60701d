import type { BoundingBox } from '@sendlap/domain/geo.ts';
import { distanceKm } from '@sendlap/domain/geo.ts';
import { foldText } from '@sendlap/domain/names.ts';
import { type CenterQuery, compareByName, MAX_TOTAL, type SearchableCenter } from '@sendlap/domain/sport-centers.ts';
import { matchesSearch, prepareSearch, searchCenters } from '@sendlap/domain/test/center-search.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildCenterIndex, type CenterIndex, type Hit, type HitPage, type Paging } from './center-index.ts';
import { NumberSet } from './number-set.ts';

const SPORTS = ['climbing', 'swimming'] as const;
const WORDS = ['Roc', 'Piscina', 'Älta', 'Saint-Denis', 'Boulder', 'Club', '壁', '\u{1f9d7}', '\uff5a'];

// A coarse grid: many centers at exactly the same position, on box edges, at the antimeridian and at the poles.
const latitude = fc.oneof(
  fc.integer({ min: -9, max: 9 }).map((at) => at * 10),
  fc.double({ min: 43, max: 43.2, noNaN: true }),
  fc.double({ min: -90, max: 90, noNaN: true }),
);
const longitude = fc.oneof(
  fc.integer({ min: -18, max: 18 }).map((at) => at * 10),
  fc.double({ min: -3, max: -2.8, noNaN: true }),
  fc.double({ min: -180, max: 180, noNaN: true }),
);

const center: fc.Arbitrary<SearchableCenter> = fc.record({
  id: fc.oneof(
    fc.uuid({ version: 4 }),
    // Ids that only differ in their last digits.
    fc
      .integer({ min: 0, max: 4095 })
      .map((end) => `00000000-0000-4000-8000-000000000${end.toString(16).padStart(3, '0')}`),
  ),
  name: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 }).map((words) => words.join(' ')),
  city: fc.constantFrom('Málaga', 'Bilbao', 'Fiji', null),
  country: fc.constantFrom('ES', 'FJ', null),
  address: fc.constantFrom('Calle Mayor 1', null),
  other_names: fc.subarray(['Muro']),
  place_names: fc.subarray(['London', 'Londres']),
  closed_at: fc.constantFrom(null, null, null, '2026-01-01T00:00:00.000Z'),
  latitude,
  longitude,
  is_private: fc.constantFrom(true, false, null),
  sport_facilities: fc.subarray([...SPORTS]).map((sports) => sports.map((type) => ({ type }))),
});

const centers = fc.uniqueArray(center, { selector: ({ id }) => id, maxLength: 300, size: 'max' });

const position = fc.record({ latitude, longitude });
const box: fc.Arbitrary<BoundingBox> = fc
  .record({ west: longitude, east: longitude, latitudes: fc.tuple(latitude, latitude) })
  .map(({ west, east, latitudes: [a, b] }) => ({ west, south: Math.min(a, b), east, north: Math.max(a, b) }));
const filters = fc.record(
  {
    q: fc.constantFrom('roc', 'denis', 'MALAGA', 'mayor boulder', 'londrés', '壁', '?'),
    city: fc.constantFrom('mal', 'bilbao', ' '),
    country: fc.constantFrom('ES', 'fj', 'XX'),
    sport: fc.constantFrom(...SPORTS),
    is_private: fc.boolean(),
    bbox: box,
  },
  { requiredKeys: [] },
);
const sort = fc.record({ sort: fc.constantFrom('name' as const, 'distance' as const) }, { requiredKeys: [] });
const around = fc.record(
  { radius_km: fc.oneof(fc.double({ min: 0, max: 500, noNaN: true }), fc.constantFrom(0.001, 2000, 9000, 20_100)) },
  { requiredKeys: [] },
);
// Half of the queries have no filters, so that lists get long enough for many pages.
const query: fc.Arbitrary<CenterQuery> = fc.oneof(
  sort,
  fc.tuple(position, around, sort).map(merge),
  fc.tuple(filters, sort).map(merge),
  fc.tuple(filters, position, around, sort).map(merge),
);

function merge(parts: object[]): CenterQuery {
  return Object.assign({}, ...parts) as CenterQuery;
}

function inOrder(all: readonly SearchableCenter[]): SearchableCenter[] {
  return all
    .map((one) => ({ one, name_folded: foldText(one.name), id: one.id }))
    .sort(compareByName)
    .map(({ one }) => one);
}

function build(named: readonly SearchableCenter[]): CenterIndex {
  return buildCenterIndex(
    named.map((one) => ({
      ...one,
      sports: one.sport_facilities.map(({ type }) => type),
      is_closed: one.closed_at !== null,
    })),
  );
}

/** Returns the centers that a database or a list of texts would find for the words and the city. */
function numbersFor(named: readonly SearchableCenter[], { q, city }: CenterQuery): NumberSet | undefined {
  if (q === undefined && city === undefined) return undefined;
  const numbers = new NumberSet(named.length);
  for (const [number, one] of named.entries()) {
    if (matchesSearch({ ...one, closed_at: null }, { q, city })) numbers.add(number);
  }
  return numbers;
}

interface Walked {
  hits: Hit[];
  totals: Set<string>;
}

function walk(index: CenterIndex, asked: CenterQuery, matching: NumberSet | undefined, paging: Paging): Walked {
  const { limit } = paging;
  const walked: Walked = { hits: [], totals: new Set() };
  for (let after: Hit | undefined, more = true; more; after = walked.hits.at(-1)) {
    const page = index.search(asked, matching, { ...paging, after });
    walked.hits.push(...page.hits);
    expect(walked.hits.length).toBeLessThanOrEqual(index.size);
    walked.totals.add(describeTotal(page));
    more = page.has_more;
    expect(page.hits.length).toBe(more ? limit : page.hits.length);
    expect(page.hits.length).toBeLessThanOrEqual(limit);
  }
  return walked;
}

function describeTotal({ total, total_is_lower_bound }: Pick<HitPage, 'total' | 'total_is_lower_bound'>): string {
  return total_is_lower_bound ? `${total}+` : `${total}`;
}

function totalOf(matching: readonly unknown[], count_to = MAX_TOTAL): string {
  return matching.length > count_to ? `${count_to}+` : `${matching.length}`;
}

describe('the index of sport centers refuses', () => {
  const [some] = fc.sample(center, { numRuns: 1, seed: 1 }) as [SearchableCenter];

  it('to continue a list by distance after no distance', () => {
    const index = build([some]);
    const after = { number: 0, distance_km: null };
    expect(() => index.search({ latitude: 0, longitude: 0 }, undefined, { limit: 1, after })).toThrow(RangeError);
  });

  it('ids that it does not have', () => {
    const index = build([some]);
    for (const id of ['', 'm', '00000000-0000-4000-8000-0000000000zz', '11111111-1111-4111-8111-111111111111']) {
      expect(index.numberOf(id)).toBeUndefined();
    }
  });
});

describe('the index of sport centers', () => {
  it('finds the same as the search of the domain, in the same order, on whatever pages', () => {
    fc.assert(
      fc.property(centers, query, fc.integer({ min: 1, max: 20 }), fc.nat(300), (all, asked, limit, count_limit) => {
        const named = inOrder(all);
        const { hits, totals } = walk(build(named), asked, numbersFor(named, asked), { limit, count_limit });
        const expected = searchCenters(all, asked);
        expect(hits.map(({ number, distance_km }) => [named[number]?.id, distance_km])).toEqual(
          expected.map(({ id, distance_km }) => [id, distance_km]),
        );
        expect([...totals]).toEqual([totalOf(expected, count_limit)]);
      }),
      { numRuns: 600 },
    );
  }, 60_000);

  it('finds the same in large sets, where a total is a lower bound', () => {
    const random = lcg(7);
    const all = fc.sample(center, { numRuns: 6000, seed: 7 }).map((base, at): SearchableCenter => {
      const spread = at % 3 === 0 ? 40 : 1;
      return {
        ...base,
        id: `00000000-0000-4000-8000-${at.toString(16).padStart(12, '0')}`,
        latitude: 43 + (random() - 0.5) * spread,
        longitude: wrap(at % 2 === 0 ? -3 + (random() - 0.5) * spread : 180 + (random() - 0.5) * spread),
      };
    });
    const named = inOrder(all);
    const index = build(named);
    const search = prepareSearch(all);
    const extras = EXTRAS.map((extra) => ({ extra, matching: numbersFor(named, extra as CenterQuery) }));
    for (const radius_km of [5, 50, 500, 3000, undefined]) {
      for (const start of [-3, 180, -179.9]) {
        for (const { extra, matching } of extras) {
          const asked = { latitude: 43.1, longitude: start, radius_km, ...extra } as CenterQuery;
          const page = index.search(asked, matching, { limit: 50 });
          const expected = search(asked);
          expect(describeTotal(page)).toBe(totalOf(expected));
          expect(page.hits.map(({ number }) => named[number]?.id)).toEqual(expected.slice(0, 50).map(({ id }) => id));
          // Far down the list, where whole parts of the tree were on earlier pages.
          const at = Math.floor(expected.length * 0.7);
          const after = index.search(asked, matching, { limit: at + 1 }).hits.at(-1);
          const rest = index.search(asked, matching, { limit: 50, after });
          expect(describeTotal(rest)).toBe(totalOf(expected));
          expect(rest.hits.map(({ number }) => named[number]?.id)).toEqual(
            expected.slice(at + 1, at + 51).map(({ id }) => id),
          );
          if (asked.q !== undefined || asked.sort === 'name') continue;
          const nearest = index.search(asked, undefined, { limit: 50, count_limit: 0 });
          expect(nearest.hits).toEqual(page.hits);
        }
      }
    }
  }, 60_000);

  it('continues after a center that is gone, by its id among equal distances', () => {
    const [base] = fc.sample(center, { numRuns: 1, seed: 2 }) as [SearchableCenter];
    const ids = ['1', '2', '3', '4'].map((end) => `00000000-0000-4000-8000-00000000000${end}`);
    const same = ids.map((id) => ({ ...base, id, closed_at: null }));
    const without = inOrder(same.filter(({ id }) => !id.endsWith('2')));
    const from = { latitude: 10, longitude: 10 };
    const after = { number: -1, distance_km: distanceKm(from, base), id: ids[1] };
    const { hits } = build(without).search(from, undefined, { limit: 9, after });
    expect(hits.map(({ number }) => without[number]?.id)).toEqual([ids[2], ids[3]]);
  });

  it('knows each center by its id, closed ones too, in either letter case', () => {
    fc.assert(
      fc.property(centers, (all) => {
        const named = inOrder(all);
        const index = build(named);
        for (const [number, { id }] of named.entries()) {
          expect(index.numberOf(id.toUpperCase())).toBe(number);
          expect(index.idOf(number)).toBe(id);
        }
      }),
    );
  });
});

const FAR_BOX = { bbox: { west: 179, south: 40, east: -1, north: 45 } };
const EXTRAS = [
  {},
  { sport: 'climbing' },
  { sort: 'name' },
  { country: 'ES' },
  { q: 'roc' },
  // The words match thousands, of which the other filters accept only a few.
  { q: 'o' },
  { q: 'o', sport: 'climbing', is_private: true, country: 'FJ' },
  FAR_BOX,
];

function wrap(longitude: number): number {
  return longitude > 180 ? longitude - 360 : longitude;
}

/** The generator of Numerical Recipes, so that a failure can be reproduced. */
function lcg(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
