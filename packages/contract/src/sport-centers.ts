import * as z from 'zod/mini';
import { endpoint } from './wire/endpoint.ts';
import { OpeningHours } from './wire/opening-hours.ts';
import { Cursor, Latitude, Limit, Longitude, numericText, page, Sport, Timestamp, Uuid } from './wire/schemas.ts';

export const SportFacility = z.object({
  id: Uuid,
  sport_center_id: Uuid,
  type: Sport,
  created_at: Timestamp,
  updated_at: Timestamp,
});

const centerFields = {
  id: Uuid,
  name: z.string(),
  address: z.nullable(z.string()),
  city: z.nullable(z.string()),
  /** ISO 3166-1 alpha-2. */
  country: z.nullable(z.string()),
  latitude: z.number(),
  longitude: z.number(),
  phone: z.nullable(z.string()),
  url: z.nullable(z.string()),
  /** null: the source does not say. */
  is_private: z.nullable(z.boolean()),
  time_zone: z.string(),
  attribution: z.string(),
  licence: z.string(),
  /** Other names, local and in other languages. */
  other_names: z.array(z.string()),
  /** English, Spanish and local names of the towns that contain the center; the search matches them. */
  place_names: z.array(z.string()),
  /** When its source removed it; null while it is open. Lists omit closed centers; only a read by id returns one. */
  closed_at: z.nullable(Timestamp),
  sport_facilities: z.array(SportFacility),
  created_at: Timestamp,
  updated_at: Timestamp,
};

export const SportCenter = z.object(centerFields);
export type SportCenter = z.infer<typeof SportCenter>;

/** `distance_km` is null if the query had no position. */
export const FoundSportCenter = z.object({ ...centerFields, distance_km: z.nullable(z.number()) });
export type FoundSportCenter = z.infer<typeof FoundSportCenter>;

const CACHE_S = 300;
const latitude = numericText(Latitude);
const longitude = numericText(Longitude);
const radius = numericText(z.number().check(z.gt(0), z.lte(500)));
const SearchText = z.string().check(z.minLength(1), z.maxLength(120));

const BoundingBoxText = z
  .pipe(
    z.string().check(z.regex(/^-?\d{1,3}(\.\d{1,20})?(,-?\d{1,3}(\.\d{1,20})?){3}$/, 'must be west,south,east,north')),
    z.transform((text) => {
      const [west = 0, south = 0, east = 0, north = 0] = text.split(',').map(Number);
      return { west, south, east, north };
    }),
  )
  .check(
    z.refine(
      (box) =>
        box.south <= box.north &&
        box.south >= -90 &&
        box.north <= 90 &&
        Math.abs(box.west) <= 180 &&
        Math.abs(box.east) <= 180,
      'must be west,south,east,north in degrees',
    ),
  );

const SearchQuery = z
  .strictObject({
    q: z.optional(SearchText),
    city: z.optional(SearchText),
    country: z.optional(z.string().check(z.regex(/^[A-Za-z]{2}$/, 'must be a two-letter country code'))),
    sport: z.optional(Sport),
    latitude: z.optional(latitude),
    longitude: z.optional(longitude),
    radius_km: z.optional(radius),
    bbox: z.optional(BoundingBoxText),
    is_private: z.optional(z.enum(['true', 'false'])),
    sort: z.optional(z.enum(['distance', 'name'])),
    limit: Limit,
    cursor: Cursor,
  })
  .check(
    z.refine((query) => (query.latitude === undefined) === (query.longitude === undefined), {
      message: 'latitude and longitude go together',
      path: ['longitude'],
    }),
    z.refine((query) => query.latitude !== undefined || (query.radius_km === undefined && query.sort !== 'distance'), {
      message: 'radius_km and sort=distance need latitude and longitude',
      path: ['latitude'],
    }),
  );
export type SportCenterQuery = z.output<typeof SearchQuery>;

export const listSportCenters = endpoint({
  method: 'GET',
  path: '/v1/sport-centers',
  summary: 'All sport centers, page by page, ordered by name',
  access: 'anyone',
  query: z.strictObject({ limit: Limit, cursor: Cursor }),
  data: page(SportCenter),
  cache_s: CACHE_S,
  errors: ['cursor_invalid'],
});

export const searchSportCenters = endpoint({
  method: 'GET',
  path: '/v1/sport-centers/search',
  summary: 'Sport centers by text, city, country, sport, radius or box',
  access: 'anyone',
  query: SearchQuery,
  data: z.extend(page(FoundSportCenter), {
    /** Number of matching centers, counted up to 1,000. */
    total: z.number(),
    /** More centers than `total` match. */
    total_is_lower_bound: z.boolean(),
  }),
  cache_s: CACHE_S,
  errors: ['cursor_invalid'],
});

const FilterOption = z.object({ value: z.string(), count: z.number() });

export const getSportCenterFilterOptions = endpoint({
  method: 'GET',
  path: '/v1/sport-centers/filter-options',
  summary: 'Sports, countries and cities that occur, with how often',
  access: 'anyone',
  data: z.object({ sports: z.array(FilterOption), countries: z.array(FilterOption), cities: z.array(FilterOption) }),
  cache_s: CACHE_S,
});

/**
 * `activity_count`: activities finished there in the last 13 whole weeks (Monday to Sunday, UTC), rounded down to 5,
 * 10, 20, 50, 100, 200, 500 or 1000, so that it does not reveal who trains there when. 0 for fewer than 5 activities or
 * fewer than 3 athletes. Locked accounts and athletes under 16 do not count.
 */
export const RecommendedSportCenter = z.object({
  ...centerFields,
  distance_km: z.number(),
  activity_count: z.number(),
});
export type RecommendedSportCenter = z.infer<typeof RecommendedSportCenter>;

export const listRecommendedSportCenters = endpoint({
  method: 'GET',
  path: '/v1/sport-centers/recommended',
  summary: 'Centers around a position by how many activities they saw in the last 13 weeks, worth keeping for offline',
  access: 'anyone',
  query: z.strictObject({ latitude, longitude, radius_km: z.optional(radius), limit: Limit }),
  data: z.array(RecommendedSportCenter),
  cache_s: CACHE_S,
});

/** With facts that lists leave out; absent if they are not known. `pool_lengths_m`: in metres, the shortest first. */
export const SportCenterDetail = z.object({
  ...centerFields,
  pool_lengths_m: z.optional(z.array(z.number())),
  opening_hours: z.optional(OpeningHours),
});
export type SportCenterDetail = z.infer<typeof SportCenterDetail>;

export const getSportCenter = endpoint({
  method: 'GET',
  path: '/v1/sport-centers/:id',
  summary: 'One sport center',
  access: 'anyone',
  params: z.object({ id: Uuid }),
  data: SportCenterDetail,
  cache_s: CACHE_S,
  errors: ['sport_center_not_found'],
});

export const findNearestSportCenters = endpoint({
  method: 'GET',
  path: '/v1/sports/:sport/find',
  summary: 'The nearest centers of a sport',
  access: 'anyone',
  params: z.object({ sport: Sport }),
  query: z.strictObject({ latitude, longitude, radius_km: z.optional(radius), limit: Limit }),
  data: z.array(FoundSportCenter),
  cache_s: CACHE_S,
});

export const getCenterProofs = endpoint({
  method: 'GET',
  path: '/v1/sport-centers/:id/proofs',
  summary: 'Which proofs exist at this center: referees by sport, a kiosk',
  access: 'anyone',
  params: z.object({ id: Uuid }),
  data: z.object({ referee_sports: z.array(Sport), has_kiosk: z.boolean() }),
  cache_s: 60,
  errors: ['sport_center_not_found'],
});
