import * as z from 'zod/mini';
import { TownId } from './places.ts';
import { endpoint } from './wire/endpoint.ts';
import { page, Timestamp, Uuid } from './wire/schemas.ts';

/** A load of an area's sport centers from OpenStreetMap. */
export const AreaLoad = z.object({
  id: Uuid,
  /** Of the town. */
  name: z.string(),
  /** `waiting`: for its turn. Ends as `done`, `failed` or `cancelled`. */
  status: z.enum(['waiting', 'fetching', 'saving', 'done', 'failed', 'cancelled']),
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
    }),
  ),
  /** Of a `failed` load: one line for the operator. */
  failure: z.nullable(z.string()),
  requested_at: Timestamp,
  finished_at: z.nullable(Timestamp),
});
export type AreaLoad = z.infer<typeof AreaLoad>;

export const requestAreaLoad = endpoint({
  method: 'POST',
  path: '/v1/area-loads',
  summary: "Load a town's sport centers; a load of it that is under way is returned as it is",
  access: 'operator',
  body: z.strictObject({ town_id: TownId }),
  data: AreaLoad,
  status: 202,
  limit: { max: 60, window_s: 3600 },
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
  summary: 'Stop a load that has not begun to save; a load that has ended is returned as it is',
  access: 'operator',
  params: z.strictObject({ id: Uuid }),
  data: AreaLoad,
});
