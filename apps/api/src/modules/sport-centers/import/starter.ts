import lookUpTimeZone from '@photostructure/tz-lookup';
import { SPORTS } from '@sendlap/domain/sports.ts';
import * as z from 'zod/mini';
import type { Database } from '#api/database/database.ts';
import { createTownService } from '#api/modules/towns/service.ts';
import starterSet from '#api/starter/sport-centers.json' with { type: 'json' };
import type { Candidate } from './match/merge.ts';
import { storeCandidates } from './store/store-candidates.ts';

/**
 * The starter set: well-known public centers, written by hand from general knowledge (CC0-1.0). OpenStreetMap served
 * only to check positions: a center more than 250 m off was repositioned from general knowledge or left out. About four
 * in ten centers were not found there, so their positions are unchecked.
 */
const StarterSet = z.object({
  source: z.literal('sendlap-starter'),
  licence: z.string(),
  attribution: z.string(),
  centers: z.array(
    z.object({
      /** Permanent: the id is derived from it. */
      ref: z.string().check(z.regex(/^[a-z\d]+(-[a-z\d]+)*$/)),
      name: z.string().check(z.minLength(1)),
      /** null if unsure. */
      address: z.nullable(z.string()),
      city: z.string().check(z.minLength(1)),
      /** ISO 3166-1 alpha-2. */
      country: z.string().check(z.regex(/^[A-Z]{2}$/)),
      /** WGS 84, as the longitude: right to a few hundred metres. */
      latitude: z.number().check(z.gte(-90), z.lte(90)),
      longitude: z.number().check(z.gte(-180), z.lte(180)),
      sports: z.array(z.enum(SPORTS)).check(z.minLength(1)),
      /** null if unsure. */
      url: z.nullable(z.url()),
      other_names: z.optional(z.array(z.string())),
    }),
  ),
});

/** Returns the starter set as candidates for the store. Throws if the file is malformed. */
export function readStarterCenters(): Candidate[] {
  const { source, licence, attribution, centers } = StarterSet.parse(starterSet);
  const towns = createTownService();
  return centers.map(({ ref, other_names, ...facts }, index) => ({
    index,
    ref: `${source}:${ref}`,
    center: {
      ...facts,
      source,
      source_ref: ref,
      licence,
      attribution,
      phone: null,
      is_private: false,
      time_zone: lookUpTimeZone(facts.latitude, facts.longitude),
      other_names: other_names ?? [],
      place_names: towns.namesAround(facts),
    },
  }));
}

/**
 * Loads the starter set if there are no centers at all, as at the first start; otherwise a no-op. Returns the number of
 * loaded centers. A later import matches these centers and merges its records into them.
 */
export async function loadStarterCenters(database: Database): Promise<number> {
  const existing = await database.selectFrom('sport_centers').select('id').limit(1).executeTakeFirst();
  if (existing !== undefined) return 0;
  const plan = await database.transaction().execute((trx) => storeCandidates(trx, readStarterCenters()));
  return plan.imported.length;
}
