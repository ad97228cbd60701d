import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import type { CenterQuery } from '@sendlap/domain/sport-centers.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { searchCenters } from '@sendlap/domain/test/center-search.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexCopies, toCopyFacts } from './center-copies.ts';

const NOW = '2026-11-01T10:00:00.000Z';
const NAMES = ['Roca Norte', 'Álava Boulder', 'Piscina Río', 'Ｆuji Wall', '😀 Climb', 'roca norte', 'Straße 9'];
const TOWNS = ['Bilbao', 'London', 'Londres', 'München', 'St. John’s'];
const TYPOS = ['pisicna', 'roca nrote', 'bilbau', 'munhcen pisina', 'londn roca', 'alva'];
const WORDS = [...TYPOS, '', 'roca', 'lon', 'río piscina', 'munchen', 'strasse', 'x', 'a l', '😀', '%', 'saint-john'];

const pick = <T>(values: readonly T[]) => fc.constantFrom(...values);
const position = {
  latitude: fc.oneof(pick([-90, 90, 43.26, 43.27]), fc.double({ min: -90, max: 90, noNaN: true })),
  longitude: fc.oneof(pick([-180, 180, -2.93, 179.99]), fc.double({ min: -180, max: 180, noNaN: true })),
};

const center: fc.Arbitrary<SportCenter> = fc
  .record({
    ...position,
    id: fc.uuid({ version: 4 }),
    name: pick(NAMES),
    address: fc.option(pick(['Calle Roca 1', 'Main Rd'])),
    city: fc.option(pick(TOWNS)),
    country: fc.option(pick(['ES', 'GB'])),
    is_private: fc.option(fc.boolean()),
    other_names: fc.array(pick(NAMES), { maxLength: 2 }),
    place_names: fc.array(pick(TOWNS), { maxLength: 3 }),
    closed_at: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constant(NOW) }),
    sports: fc.subarray<Sport>(['climbing', 'swimming'], { minLength: 1 }),
  })
  .map(({ sports, ...rest }) => ({
    ...rest,
    phone: null,
    url: null,
    time_zone: 'Europe/Madrid',
    attribution: '',
    licence: '',
    sport_facilities: sports.map((type) => ({
      id: rest.id,
      sport_center_id: rest.id,
      type,
      created_at: NOW,
      updated_at: NOW,
    })),
    created_at: NOW,
    updated_at: NOW,
  }));

const query: fc.Arbitrary<CenterQuery> = fc
  .record({
    q: fc.option(pick(WORDS), { nil: undefined }),
    city: fc.option(pick(['bil', 'MÜN', 'zzz']), { nil: undefined }),
    country: fc.option(pick(['es', 'GB']), { nil: undefined }),
    sport: fc.option(pick<Sport>(['climbing', 'swimming']), { nil: undefined }),
    is_private: fc.option(fc.boolean(), { nil: undefined }),
    sort: fc.option(pick<'distance' | 'name'>(['distance', 'name']), { nil: undefined }),
    at: fc.option(fc.record(position), { nil: undefined }),
    radius_km: fc.option(pick([0.5, 50, 500, 5000]), { nil: undefined }),
    bbox: fc.option(
      pick([
        { west: -10, south: 35, east: 5, north: 45 },
        { west: 170, south: -90, east: -170, north: 90 },
      ]),
      { nil: undefined },
    ),
  })
  .map(({ at, radius_km, sort, ...rest }) => (at ? { ...rest, ...at, radius_km, sort } : { ...rest, sort: 'name' }));

const copyOf = (value: SportCenter) => ({ value, cached_at: 1, expires_at: 2 });

function walk(centers: SportCenter[], asked: CenterQuery, limit: number): { ids: string[]; totals: number[] } {
  const index = indexCopies(centers.map((value) => toCopyFacts(copyOf(value))));
  const [ids, totals]: [string[], number[]] = [[], []];
  for (let after = null, isFirst = true; isFirst || after; isFirst = false) {
    const page = index.search(asked, { limit, after });
    ids.push(...page.found.map(({ id }) => id));
    totals.push(page.total);
    after = page.next;
  }
  return { ids, totals };
}

// CPU-bound: it takes long on a busy machine.
test('copies give the same centers in the same order as the domain, for any query and any paging [spec 5.centers.city]', {
  timeout: 120_000,
}, () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(center, { selector: ({ id }) => id, maxLength: 40 }),
      query,
      fc.integer({ min: 1, max: 7 }),
      (centers, asked, limit) => {
        const { ids, totals } = walk(centers, asked, limit);
        expect(ids).toEqual(searchCenters(centers, asked).map(({ id }) => id));
        expect(new Set(totals)).toEqual(new Set([ids.length]));
      },
    ),
    { numRuns: 1500 },
  );
});

test('distances equal those of the domain, to the last digit', () => {
  fc.assert(
    fc.property(fc.array(center, { maxLength: 20 }), fc.record(position), (centers, at) => {
      const index = indexCopies(centers.map((value) => toCopyFacts(copyOf(value))));
      const { found } = index.search(at, { limit: 100, after: null });
      const exact = new Map(searchCenters(centers, at).map(({ id, distance_km }) => [id, distance_km]));
      for (const { id, distance_km } of found) expect(distance_km).toBe(exact.get(id));
    }),
  );
});

test('a typing error is forgiven only where no open copy has the words as they were typed', () => {
  const plain = { city: null, address: null, closed_at: null, other_names: [], place_names: [] };
  const copy = (nth: number, name: string): SportCenter[] =>
    fc
      .sample(center, { numRuns: 1, seed: nth })
      .map((value) => ({ ...value, ...plain, id: `${nth}`.padStart(36, '0'), name }));
  const [pool, misspelt] = [copy(1, 'Piscina Río'), copy(2, 'Pisicna')];
  const closed = copy(3, 'Pisicna').map((value) => ({ ...value, closed_at: NOW }));
  const search = { q: 'pisicna', sort: 'name' as const };
  const found = (centers: SportCenter[], change: CenterQuery = {}) =>
    walk(centers, { ...search, ...change }, 5).ids.map((id) => Number(id));
  expect(found([...pool, ...misspelt])).toEqual([2]);
  expect(found([...pool, ...closed])).toEqual([1]);
  expect(found(pool, { q: 'pisicnas' })).toEqual([1]);
  expect(found(pool, { q: 'viscina' })).toEqual([]);
  expect(found(pool, { city: 'bilbao' })).toEqual([]);
});

test('without copies there are no results', () => {
  const page = indexCopies([]).search({ q: 'roca', latitude: 0, longitude: 0 }, { limit: 10, after: null });
  expect(page).toEqual({ found: [], next: null, total: 0, total_is_lower_bound: false });
});
