import * as z from 'zod/mini';
import { endpoint } from './wire/endpoint.ts';
import { Latitude, Longitude, Timestamp, Uuid } from './wire/schemas.ts';

/** My last position; only I can ever see it. */
export const UserLocation = z.object({
  latitude: z.number(),
  longitude: z.number(),
  /** Metres, null if the device did not report it. */
  accuracy: z.nullable(z.number()),
  timestamp: Timestamp,
  /** The center at this position, null if none is near enough. */
  sport_center_id: z.nullable(Uuid),
});
export type UserLocation = z.infer<typeof UserLocation>;

const Accuracy = z.number().check(z.gte(0), z.lte(100_000));
/** POST and PATCH together, per user. */
export const LOCATION_WRITES_A_MINUTE = 10;

export const saveUserLocation = endpoint({
  method: 'POST',
  path: '/v1/user-location',
  summary: 'Where I am now; it replaces the previous one and is deleted after two hours; with PATCH 10 times a minute',
  access: 'user',
  body: z.strictObject({
    latitude: Latitude,
    longitude: Longitude,
    accuracy: z.optional(z.nullable(Accuracy)),
    /** When the device measured it; by default now. */
    timestamp: z.optional(Timestamp),
    /**
     * Accepted only if it is as near as presence requires; otherwise the nearest such center. null if accuracy > 150 m.
     */
    sport_center_id: z.optional(z.nullable(Uuid)),
  }),
  data: UserLocation,
  errors: ['too_many_requests'],
});

export const updateUserLocation = endpoint({
  method: 'PATCH',
  path: '/v1/user-location',
  summary: 'Change parts of where I am; latitude and longitude go together; with POST 10 times a minute',
  access: 'user',
  body: z
    .strictObject({
      latitude: z.optional(Latitude),
      longitude: z.optional(Longitude),
      accuracy: z.optional(z.nullable(Accuracy)),
      timestamp: z.optional(Timestamp),
      sport_center_id: z.optional(z.nullable(Uuid)),
    })
    .check(
      z.refine((body) => (body.latitude === undefined) === (body.longitude === undefined), {
        message: 'latitude and longitude go together',
        path: ['longitude'],
      }),
    ),
  data: UserLocation,
  errors: ['location_unknown', 'too_many_requests'],
});

/** A friend who shares where they train, at one of the requested centers. */
export const PresentUser = z.object({
  id: Uuid,
  name: z.string(),
  public_id: z.string(),
  sport_center_id: Uuid,
  /** Within 100 m of the center; otherwise within 150 m. */
  is_nearby: z.boolean(),
});
export type PresentUser = z.infer<typeof PresentUser>;

export const listPresentUsers = endpoint({
  method: 'POST',
  path: '/v1/user-location/batch',
  summary: 'Friends who are at these centers and want me to know: never a position, never a distance',
  access: 'user',
  body: z.strictObject({ sport_center_ids: z.array(Uuid).check(z.minLength(1), z.maxLength(100)) }),
  data: z.array(PresentUser),
  limit: { max: 60, window_s: 60 },
});

export const getUserLocation = endpoint({
  method: 'GET',
  path: '/v1/users/location/current',
  summary: 'Where I was in the last two hours; null when that is not known',
  access: 'user',
  data: z.nullable(UserLocation),
});
