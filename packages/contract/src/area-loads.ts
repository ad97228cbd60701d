import * as z from 'zod/mini';
import { TownId } from './towns.ts';
import { endpoint } from './wire/endpoint.ts';
import { Latitude, Longitude, page, Timestamp, Uuid } from './wire/schemas.ts';

/** A load of an area's sport centers from OpenStreetMap. */
export const AreaLoad = z.object({
  id: Uuid,
  /** The town that was requested; null for an area. */
  town_id: z.nullable(z.string()),
  /** Of the town, or of the most important one around the middle of the area. */
  name: z.string(),
  /** `waiting`: for its turn. */
  status: z.enum(['waiting', 'fetching', 'saving', 'done', 'failed', 'cancelled']),
  /** Whether the caller may stop it: an operator, or its requester while others do not wait for it too. */
  can_cancel: z.boolean(),
  /** Parts of the area. */
  fetched: z.number(),
  total: z.number(),
  /** While the map server is busy: when it is queried again. */
  retry_at: z.nullable(Timestamp),
  /** Of a `done` load: read = imported + updated + unchanged + merged + refused. */
  report: z.nullable(
    z.object({
      read: z.number(),
      imported: z.number(),
      updated: z.number(),
      unchanged: z.number(),
      merged: z.number(),
      refused: z.number(),
      closed: z.number(),
      /** No longer in OpenStreetMap, but so many that the centers stay open. */
      missing: z.number(),
    }),
  ),
  /** Of a `failed` load: one line, for operators only. */
  failure: z.nullable(z.string()),
  requested_at: Timestamp,
  finished_at: z.nullable(Timestamp),
});
export type AreaLoad = z.infer<typeof AreaLoad>;

export const UNFINISHED_STATUSES: readonly AreaLoad['status'][] = ['waiting', 'fetching', 'saving'];

/** Whether a load will end as `done`, `failed` or `cancelled`. */
export function isUnfinished({ status }: Pick<AreaLoad, 'status'>): boolean {
  return UNFINISHED_STATUSES.includes(status);
}

export const requestAreaLoad = endpoint({
  method: 'POST',
  path: '/v1/area-loads',
  summary:
    'Load the sport centers of a town or of an area of at most 2,500 km². A load that covers it is returned instead: one under way, or, unless the caller is an operator, one of the last 30 days',
  access: 'user',
  body: z.union([
    z.strictObject({ town_id: TownId }),
    z.strictObject({ latitude: Latitude, longitude: Longitude, radius_km: z.number().check(z.gte(1), z.lte(20_000)) }),
  ]),
  data: AreaLoad,
  status: 202,
  limit: { max: 20, window_s: 3600 },
  errors: ['town_unknown', 'area_too_large', 'area_loads_restricted', 'too_many_requests'],
});

export const getAreaLoad = endpoint({
  method: 'GET',
  path: '/v1/area-loads/:id',
  summary: 'How far a load is',
  access: 'user',
  params: z.strictObject({ id: Uuid }),
  data: AreaLoad,
  errors: ['area_load_not_found'],
});

export const listAreaLoads = endpoint({
  method: 'GET',
  path: '/v1/area-loads',
  summary: 'The latest 20 loads, newest first',
  access: 'operator',
  data: page(AreaLoad),
});

export const cancelAreaLoad = endpoint({
  method: 'DELETE',
  path: '/v1/area-loads/:id',
  summary:
    'Stop a load that has not begun to save: mine, unless others wait for it too, or as an operator any one; one that has ended is returned as it is',
  access: 'user',
  params: z.strictObject({ id: Uuid }),
  data: AreaLoad,
  errors: ['area_load_not_found', 'not_an_operator'],
});
