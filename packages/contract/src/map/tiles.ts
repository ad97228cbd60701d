import * as z from 'zod/mini';
import { endpoint } from '../wire/endpoint.ts';

/**
 * Tiles are binary and have no JSON envelope, so they are not `endpoint`s: GET /v1/tiles/{z}/{x}/{y}.mvt for the world,
 * GET /v1/tiles/streets/{z}/{x}/{y}.mvt for the operator's map file.
 */
export const TILES_PATH = '/v1/tiles';
export const STREET_TILES_PATH = '/v1/tiles/streets';

export const getMapConfig = endpoint({
  method: 'GET',
  path: '/v1/tiles',
  summary: 'What the map can draw: the world always, streets where the operator gave a map file',
  access: 'anyone',
  data: z.object({
    world: z.object({ max_zoom: z.number(), attribution: z.string() }),
    streets: z.nullable(
      z.object({
        min_zoom: z.number(),
        max_zoom: z.number(),
        /** Degrees. */
        bounds: z.object({ west: z.number(), south: z.number(), east: z.number(), north: z.number() }),
        attribution: z.string(),
      }),
    ),
  }),
  cache_s: 3600,
});
