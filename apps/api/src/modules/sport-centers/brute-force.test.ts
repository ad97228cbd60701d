import type { FoundSportCenter, SportCenter } from '@sendlap/contract/sport-centers.ts';
import { searchSportCenters } from '@sendlap/contract/sport-centers.ts';
import { type CenterQuery, MAX_TOTAL } from '@sendlap/domain/sport-centers.ts';
import { prepareSearch } from '@sendlap/domain/test/center-search.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  buildCenterScene,
  type CenterScene,
  type CenterSeed,
  realSeeds,
  starterSeeds,
} from '#test/scenes/center-scene.ts';

const folder = process.env.CENTERS_DATA_DIR;
const sets: [string, () => CenterSeed[]][] = [['the starter set', starterSeeds]];
if (folder !== undefined) sets.push(['the real centers', () => realSeeds(folder)]);

describe.each(sets)('searches over HTTP in %s', (_, readSeeds) => {
  let scene: CenterScene;
  let all: SportCenter[];

  beforeAll(async () => {
    scene = await buildCenterScene(readSeeds());
    const rows = await scene.database.selectFrom('sport_centers').select('id').execute();
    all = rows.map(({ id }) => scene.service.getById(id)).filter((center) => center !== undefined);
    expect(all).toHaveLength(rows.length);
  }, 60_000);

  afterAll(() => scene.close());

  it('find the same centers as brute force, in its order, for 1,000 random queries [spec 7.centers.search, 1.centers.find]', async () => {
    const search = prepareSearch(all);
    await fc.assert(
      fc.asyncProperty(queriesAbout(all), fc.nat(9), async (asked, walk) => {
        const expected = search(asked).map(({ id, distance_km }) => [id, distance_km]);
        const url = `/v1/sport-centers/search?${addressOf(asked)}`;
        const { body } = await scene.get(`${url}&limit=100`);
        expect(z.parse(searchSportCenters.data, body.data)).toEqual(body.data);
        const { total, total_is_lower_bound } = body.data;
        expect([total, total_is_lower_bound]).toEqual([
          Math.min(expected.length, MAX_TOTAL),
          expected.length > MAX_TOTAL,
        ]);
        expect(body.data.items.map(toPair)).toEqual(expected.slice(0, 100));
        if (walk > 0 || expected.length > 400) return;
        expect((await scene.collect(`${url}&limit=${Math.max(7, expected.length >> 3)}`)).map(toPair)).toEqual(
          expected,
        );
      }),
      { numRuns: 1000 },
    );
  }, 180_000);
});

function toPair({ id, distance_km }: { id: string; distance_km?: FoundSportCenter['distance_km'] }) {
  return [id, distance_km];
}

/**
 * Words, cities and positions are those of the centers, truncated and moved a little, so that most queries find
 * something.
 */
function queriesAbout(all: readonly SportCenter[]): fc.Arbitrary<CenterQuery> {
  const center = fc.constantFrom(...all);
  const part = (text: string) =>
    fc
      .tuple(fc.nat(text.length), fc.integer({ min: 1, max: 8 }))
      .map(([at, length]) => text.slice(at, at + length).trim());
  const text = center.chain(({ name, address, city, place_names }) =>
    part([name, address ?? '', city ?? '', ...place_names].join(' ')),
  );
  // Without one letter, or with two swapped, somewhere behind the first.
  const misspelt = fc.tuple(center, fc.nat(), fc.boolean()).map(([{ name }, nth, isSwapped]) => {
    const at = 1 + (nth % Math.max(1, name.length - 2));
    return `${name.slice(0, at)}${isSwapped ? (name[at + 1] ?? '') + name[at] : ''}${name.slice(at + 1 + Number(isSwapped))}`;
  });
  const position = fc
    .tuple(center, fc.double({ min: -0.5, max: 0.5, noNaN: true }), fc.double({ min: -0.5, max: 0.5, noNaN: true }))
    .map(([{ latitude, longitude }, north, east]) => ({
      latitude: round(Math.max(-90, Math.min(90, latitude + north))),
      longitude: round(Math.max(-180, Math.min(180, longitude + east))),
    }));
  const box = fc.tuple(position, position).map(([a, b]) => ({
    west: a.longitude,
    south: Math.min(a.latitude, b.latitude),
    east: b.longitude,
    north: Math.max(a.latitude, b.latitude),
  }));
  const filters = fc.record(
    {
      q: fc.oneof(
        text,
        misspelt,
        fc.tuple(text, text).map((words) => words.join(' ')),
      ),
      city: center.chain(({ city }) => part(city ?? 'london')),
      country: fc.constantFrom(...new Set(all.map(({ country }) => country ?? 'es'))),
      sport: fc.constantFrom('climbing' as const, 'swimming' as const),
      is_private: fc.boolean(),
      bbox: box,
      sort: fc.constant('name' as const),
    },
    { requiredKeys: [] },
  );
  const radius = fc.double({ min: 0.1, max: 500, noNaN: true }).map(round);
  const area = fc.oneof(
    fc.constant({}),
    position,
    fc.tuple(position, radius).map(([at, radius_km]) => ({ ...at, radius_km })),
  );
  return fc
    .tuple(filters, area)
    .map(([filter, at]) => withoutEmpty({ ...filter, ...at }))
    .filter((query) => Object.keys(query).length > 0);
}

function round(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}

/** The call refuses empty texts; the domain treats them as missing. */
function withoutEmpty(query: CenterQuery): CenterQuery {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '' && value !== undefined));
}

function addressOf({ bbox, ...query }: CenterQuery): string {
  const box = bbox && { bbox: [bbox.west, bbox.south, bbox.east, bbox.north].map((at) => at.toFixed(6)).join(',') };
  return String(new URLSearchParams(Object.entries({ ...query, ...box }).map(([key, value]) => [key, plain(value)])));
}

/** Numbers without an exponent, as the call reads them. */
function plain(value: unknown): string {
  return typeof value === 'number' ? value.toFixed(6) : String(value);
}
