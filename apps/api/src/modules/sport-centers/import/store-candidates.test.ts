import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#api/platform/database.ts';
import { openTestDatabase } from '#test/database.ts';
import { CandidateTable, createTables } from './candidate-table.ts';
import type { Candidate } from './merge.ts';
import { storeCandidates, storeFew } from './store-candidates.ts';
import type { Center } from './types.ts';

let database: Database;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
});

afterAll(() => close());

const NAMES = ['Sala Uno', 'Sala Uno Escalada', 'Pool', 'Sala Dos', 'Babybecken', 'Bad Sud', 'Climbing Wall'];

/** Places on a line of a few hundred metres, on both sides of the edges of strips, of columns and of squares. */
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

async function storeInParts(candidates: Candidate[], part_nodes: number) {
  return database.transaction().execute(async (trx) => {
    await createTables(trx);
    const table = new CandidateTable(trx);
    for (const candidate of candidates) await table.add(candidate);
    await table.flush();
    const refused: string[] = [];
    const refuse = async ({ ref }: { ref: string }) => void refused.push(ref);
    const options = { dry_run: false, progress: () => {}, refuse, part_nodes };
    return { ...(await storeCandidates(trx, table.count, options)), refused: refused.sort() };
  });
}

it('stores part by part what one plan for everything stores, onto centers that are there, twice in a row', async () => {
  const file = fc.array(record, { maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(file, file, async (before, records) => {
      const [first, second] = [toCandidates(before), toCandidates(records)];
      await empty();
      await storeFew(database, first);
      const plan = await storeFew(database, second);
      const expected = await snapshot();
      await empty();
      await storeFew(database, first);
      const counts = await storeInParts(second, 1);
      expect(await snapshot()).toEqual(expected);
      expect(counts).toEqual({
        imported: plan.imported.length,
        updated: plan.updated.length,
        unchanged: plan.unchanged.length,
        merged: plan.merges.length,
        enriched: plan.enriched,
        refused: plan.contradicting.map(({ candidate }) => candidate.ref).sort(),
      });
      const again = await storeFew(database, second);
      const isSettled = again.writes.length === 0;
      const repeated = await storeInParts(second, 3);
      if (isSettled) expect(repeated).toMatchObject({ imported: 0, updated: 0, enriched: 0 });
    }),
    { numRuns: 25 },
  );
}, 120_000);

it('stores the same whatever the order of the file, where each record stands once', async () => {
  const file = fc.uniqueArray(record, { selector: ({ source, ref }) => `${source}${ref}`, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(
      file.chain((records) =>
        fc.tuple(fc.constant(records), fc.shuffledSubarray(records, { minLength: records.length })),
      ),
      async ([records, shuffled]) => {
        await empty();
        const counts = await storeInParts(toCandidates(records), 1);
        const expected = await snapshot();
        await empty();
        expect(await storeInParts(toCandidates(shuffled), 1)).toEqual(counts);
        expect(await snapshot()).toEqual(expected);
      },
    ),
    { numRuns: 15 },
  );
}, 120_000);
