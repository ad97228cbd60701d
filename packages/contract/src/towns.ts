import * as z from 'zod/mini';
import { endpoint } from './wire/endpoint.ts';
import { Limit, page } from './wire/schemas.ts';

export const TownId = z.string().check(z.regex(/^geonames:\d{1,10}$/, 'must be the id of a town'));

/** A town or city to search around. */
export const Town = z.object({
  /** Stable, e.g. `geonames:2643743`. */
  id: z.string(),
  /** English name, or the local one if there is no English name. */
  name: z.string(),
  name_es: z.nullable(z.string()),
  /** ISO 3166-1 alpha-2. */
  country: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  /** About as far as people of the town travel, by its population. */
  radius_km: z.number(),
  population: z.number(),
});
export type Town = z.infer<typeof Town>;

/** A town found by a text. */
const FoundTown = z.extend(Town, {
  /** How the text names it: by a whole name in any language, by the beginning of one, or with a typing error. */
  match: z.optional(z.enum(['name', 'beginning', 'typo'])),
});
export type FoundTown = z.infer<typeof FoundTown>;

export const searchTowns = endpoint({
  method: 'GET',
  path: '/v1/places/search',
  summary:
    'Towns whose name, in any known language, begins with the words; whole names first, then the most populous; without any, those that the words misspell',
  access: 'anyone',
  query: z.strictObject({ q: z.string().check(z.minLength(1), z.maxLength(120)), limit: Limit }),
  data: page(FoundTown),
  cache_s: 86_400,
});
