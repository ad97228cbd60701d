import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#api/database/database.ts';
import { openTestDatabase } from '#test/database/database.ts';
import type { Candidate } from '../match/merge.ts';
import type { Center } from '../read/types.ts';
import { type Plan, planImport } from './plan.ts';
import { storeCandidates } from './store-candidates.ts';
import { loadStoredCenters } from './stored-centers.ts';

let database: Database;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
});

afterAll(() => close());

const NAMES = ['Sala Uno', 'Sala Uno Escalada', 'Pool', 'Sala Dos', 'Babybecken', 'Bad Sud', 'Climbing Wall'];

/** Places on a line of a few hundred metres, on both sides of the edge of a latitude band. */
const record = fc.record({
  name: fc.constantFrom(...NAMES),
  other_name: fc.option(fc.constantFrom(...NAMES), { nil: null }),
  source: fc.constantFrom('osm', 'city', 'sendlap-starter'),
  ref: fc.integer({ min: 1, max: 14 }),
  north_m: fc.integer({ min: -500, max: 500 }),
  east_m: fc.integer({ min: -300, max: 300 }),
  phone: fc.option(fc.constantFrom('1', '2'), { nil: null }),
  swims: fc.boolean(),
});
type Facts = typeof record extends fc.Arbitrary<infer Value> ? Value : never;

function toCandidates(records: Facts[]): Candidate[] {
  return records.map(({ name, other_name, source, ref, north_m, east_m, phone, swims }, index) => ({
    index,
    ref: `${source}:node/${ref}`,
    center: {
      source,
      source_ref: `node/${ref}`,
      name,
      address: null,
      city: null,
      country: 'ES',
      latitude: 41.4 + north_m / 111_195,
      longitude: 2.2 + east_m / 83_000,
      phone,
      url: null,
      is_private: null,
      time_zone: 'Europe/Madrid',
      licence: source,
      attribution: source,
      other_names: other_name === null ? [] : [other_name],
      place_names: [],
      sports: swims ? ['swimming'] : ['climbing'],
    } satisfies Center,
  }));
}

async function snapshot() {
  const { rows: centers } = await sql`
    select to_jsonb(center) - 'created_at' - 'updated_at' as facts,
      array(select type from sport_facilities where sport_center_id = center.id order by type) as sports
    from sport_centers center order by id`.execute(database);
  const merges = await database
    .selectFrom('sport_center_merges')
    .selectAll()
    .orderBy('source')
    .orderBy('source_ref')
    .execute();
  return { centers, merges };
}

const empty = () => sql`truncate sport_centers cascade`.execute(database);

const store = (candidates: Candidate[]) => database.transaction().execute((trx) => storeCandidates(trx, candidates));

/** The plan from a comparison with every stored center: each has the reference of a candidate of `all`. */
async function planWithAll(candidates: Candidate[], all: Candidate[]): Promise<Plan> {
  const centers = all.map(({ center }) => center);
  return database.transaction().execute(async (trx) => planImport(candidates, await loadStoredCenters(trx, centers)));
}

it('plans the same with the stored centers of the neighbourhood as with all stored centers, twice in a row', async () => {
  const file = fc.array(record, { maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(file, file, async (before, records) => {
      const [first, second] = [toCandidates(before), toCandidates(records)];
      await empty();
      await store(first);
      for (let run = 0; run < 2; run += 1) {
        const expected = await planWithAll(second, [...first, ...second]);
        expect(await store(second)).toEqual(expected);
      }
    }),
    { numRuns: 25 },
  );
}, 120_000);

it.each([
  ['north', 20],
  ['south', -20],
])('finds the stored center just beyond the edge of a band of latitudes, seen from the %s', async (_, north_m) => {
  const hall = { name: 'Sala Uno', other_name: null, ref: 1, east_m: 0, phone: null, swims: false };
  await empty();
  await store(toCandidates([{ ...hall, source: 'osm', north_m: -north_m }]));
  const { imported, merges } = await store(toCandidates([{ ...hall, source: 'city', north_m }]));
  expect([imported.length, merges.length]).toEqual([0, 1]);
});

it('stores the same whatever the order of the file, if each record occurs once', async () => {
  const file = fc.uniqueArray(record, { selector: ({ source, ref }) => `${source}${ref}`, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(
      file.chain((records) =>
        fc.tuple(fc.constant(records), fc.shuffledSubarray(records, { minLength: records.length })),
      ),
      async ([records, shuffled]) => {
        await empty();
        const counts = countsOf(await store(toCandidates(records)));
        const expected = await snapshot();
        await empty();
        expect(countsOf(await store(toCandidates(shuffled)))).toEqual(counts);
        expect(await snapshot()).toEqual(expected);
      },
    ),
    { numRuns: 15 },
  );
}, 120_000);

function countsOf({ imported, updated, unchanged, merges, enriched, contradicting }: Plan) {
  return [imported, updated, unchanged, merges, contradicting].map(({ length }) => length).concat(enriched);
}
