import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Limit, page } from './schemas.ts';

/** A town or city as a place to search around. */
export const Place = z.object({
  /** Stable, e.g. `geonames:2643743`. */
  id: z.string(),
  /** As it is called in English, or at home where English has no name for it. */
  name: z.string(),
  name_es: z.nullable(z.string()),
  /** ISO 3166-1 alpha-2. */
  country: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  /** Reaches about as far as people of the place go, by its population. */
  radius_km: z.number(),
  population: z.number(),
});
export type Place = z.infer<typeof Place>;

export const searchPlaces = endpoint({
  method: 'GET',
  path: '/v1/places/search',
  summary: 'Towns whose name, in any known language, begins with the words; whole names first, then the most populous',
  access: 'anyone',
  query: z.strictObject({ q: z.string().check(z.minLength(1), z.maxLength(120)), limit: Limit }),
  data: page(Place),
  cache_s: 86_400,
});
