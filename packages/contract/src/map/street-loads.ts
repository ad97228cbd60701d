import * as z from 'zod/mini';
import { TownId } from '../towns.ts';
import { endpoint } from '../wire/endpoint.ts';
import { page, Timestamp, Uuid } from '../wire/schemas.ts';

/** A load of a town's streets, cut out of a remote map. */
export const StreetLoad = z.object({
  id: Uuid,
  town_id: z.string(),
  /** Of the town. */
  name: z.string(),
  /** `waiting`: for its turn. Ends as `done`, `failed` or `cancelled`. */
  status: z.enum(['waiting', 'fetching', 'done', 'failed', 'cancelled']),
  /** Bytes; both 0 until the server knows how many there are. */
  fetched: z.number(),
  total: z.number(),
  /** Of a `done` load: how far the streets reach around the town; less than the town's radius if there are too many. */
  radius_km: z.nullable(z.number()),
  /** Of a `failed` load: one sentence. */
  failure: z.nullable(z.string()),
  requested_at: Timestamp,
  finished_at: z.nullable(Timestamp),
});
export type StreetLoad = z.infer<typeof StreetLoad>;

export const requestStreetLoad = endpoint({
  method: 'POST',
  path: '/v1/street-loads',
  summary:
    'Load the streets of a town, in place of those of another town. A load of the same town that is under way is returned instead; only one is under way',
  access: 'operator',
  body: z.strictObject({ town_id: TownId }),
  data: StreetLoad,
  status: 202,
  limit: { max: 20, window_s: 3600 },
  errors: ['town_unknown', 'streets_in_settings', 'street_load_under_way'],
});

export const listStreetLoads = endpoint({
  method: 'GET',
  path: '/v1/street-loads',
  summary: 'The latest 20 loads, newest first',
  access: 'operator',
  data: z.extend(page(StreetLoad), {
    /** Whether a setting of the server decides which streets the map has: no town can be loaded then. */
    is_configured: z.boolean(),
  }),
});

export const cancelStreetLoad = endpoint({
  method: 'DELETE',
  path: '/v1/street-loads/:id',
  summary: 'Stop a load; one that has ended is returned as it is',
  access: 'operator',
  params: z.strictObject({ id: Uuid }),
  data: StreetLoad,
  errors: ['street_load_not_found'],
});
