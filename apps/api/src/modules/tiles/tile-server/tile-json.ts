import * as z from 'zod/mini';
import { plainText, type TileSourceFacts } from '../archive/checked-reader.ts';
import { SourceUnusable } from '../archive/redirects.ts';
import { fetchLimited, type TimeLimit } from './fetch-limited.ts';

const MAX_BYTES = 1024 * 1024;
/** OpenMapTiles and Protomaps servers have tiles to this zoom; the map draws deeper ones from them. */
const DEFAULT_MAX_ZOOM = 14;
const MAX_ZOOM = 24;

const Zoom = z.number().check(z.gte(0), z.lte(MAX_ZOOM));
/** A description of a tile server (TileJSON 3), as far as the map needs it. */
const TileJson = z.object({
  tiles: z.array(z.string()),
  minzoom: z.optional(Zoom),
  maxzoom: z.optional(Zoom),
  bounds: z.optional(z.tuple([z.number(), z.number(), z.number(), z.number()])),
  attribution: z.optional(z.nullable(z.string())),
  scheme: z.optional(z.string()),
  vector_layers: z.optional(z.array(z.object({ id: z.string() }))),
});

export interface TileServerFacts {
  facts: TileSourceFacts;
  /** undefined: not said. */
  layers: string[] | undefined;
}

/** The facts of a server without a TileJSON. */
export const DEFAULT_FACTS: TileSourceFacts = {
  min_zoom: 0,
  max_zoom: DEFAULT_MAX_ZOOM,
  bounds: { west: -180, south: -90, east: 180, north: 90 },
  attribution: '',
};

/**
 * Reads the TileJSON beside the tiles, where servers have it. Returns undefined without one. Throws SourceUnreachable, and
 * SourceUnusable for a reply above 1 MiB or if rows of tiles count from the south (TMS).
 */
export async function readTileJson(template: string, limit: TimeLimit): Promise<TileServerFacts | undefined> {
  for (const url of tileJsonAddresses(template)) {
    const { bytes } = await fetchLimited(url, { max_bytes: MAX_BYTES, ...limit });
    const found = TileJson.safeParse(parseJson(bytes)).data;
    if (!found) continue;
    if (found.scheme === 'tms') throw new SourceUnusable('its tiles are counted from the south (TMS)');
    const { minzoom = 0, maxzoom = DEFAULT_MAX_ZOOM, attribution } = found;
    const [west = 0, south = 0, east = 0, north = 0] = found.bounds ?? [];
    const is_box = west < east && south < north && west >= -180 && east <= 180 && south >= -90 && north <= 90;
    const facts = {
      min_zoom: Math.floor(Math.min(minzoom, maxzoom)),
      max_zoom: Math.floor(maxzoom),
      bounds: is_box ? { west, south, east, north } : DEFAULT_FACTS.bounds,
      attribution: plainText(attribution ?? ''),
    };
    return { facts, layers: found.vector_layers?.map(({ id }) => id) };
  }
  return undefined;
}

/** `…/planet/{z}/{x}/{y}.pbf?key=k` → `…/planet.json?key=k`, `…/planet?key=k`, `…/planet/tiles.json?key=k`. */
function tileJsonAddresses(template: string): string[] {
  const [, base = '', query = ''] = /^(.*?)\/\{[zxy]\}[^?]*(\?.*)?$/.exec(template) ?? [];
  if (base === '' || query.includes('{')) return [];
  const has_path = URL.parse(base)?.pathname !== '/';
  return [...(has_path ? [`${base}.json`, base] : []), `${base}/tiles.json`].map((address) => `${address}${query}`);
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}
