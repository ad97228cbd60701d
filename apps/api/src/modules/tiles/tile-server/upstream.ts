import { createConcurrencyLimit } from '#api/platform/concurrency-limit.ts';
import type { TileSourceFacts } from '../archive/checked-reader.ts';
import { SourceUnreachable, SourceUnusable } from '../archive/redirects.ts';
import type { TileAddress } from '../archive/tile-address.ts';
import type { MapTile } from '../archive/tile-source.ts';
import { fetchLimited, type TimeLimit } from './fetch-limited.ts';
import { readTile } from './read-tile.ts';
import { DEFAULT_FACTS, readTileJson } from './tile-json.ts';
import { findSchema } from './vector-tile.ts';

const MAX_TILE_BYTES = 2 * 1024 * 1024;
/** Maps of a few visitors; beyond them anonymous requests would fill the memory while the server is slow. */
const MAX_REQUESTS = { max_running: 16, max_waiting: 500 };

interface UpstreamOptions extends TimeLimit {
  /** Time before a failed server is requested again. */
  pause_ms: number;
}

/** Requests to a vector tile server. All throw SourceUnreachable and SourceUnusable; `fetchTile` also if too many wait. */
export function createUpstream(template: string, { timeout_ms, pause_ms, timer }: UpstreamOptions) {
  const limit = createConcurrencyLimit({ ...MAX_REQUESTS, toRefusal: () => new Error('too many wait') });
  let paused: { until_ms: number; cause: unknown } | undefined;

  async function withPause<Value>(request: () => Promise<Value>): Promise<Value> {
    if (paused && timer.now() < paused.until_ms) throw paused.cause;
    paused = undefined;
    try {
      return await request();
    } catch (cause) {
      if (cause instanceof SourceUnreachable) paused = { until_ms: timer.now() + pause_ms, cause };
      throw cause;
    }
  }

  async function requestTile({ z, x, y }: TileAddress) {
    const url = template.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y));
    const { status, bytes } = await fetchLimited(url, { max_bytes: MAX_TILE_BYTES, timeout_ms, timer });
    if (status === 401 || status === 403) throw new SourceUnreachable(`The address answered ${status}`);
    // 404: servers answer it for a tile without data.
    const read = [200, 204, 404, 410].includes(status) ? await readTile(bytes) : undefined;
    if (!read) throw new SourceUnusable('the host sends something that is not a vector tile');
    return { ...read, is_missing: status === 404 || status === 410 };
  }

  /** Returns the layers of the tile that shows the whole world; a server for a region may lack it. */
  async function readWorldLayers(may_be_missing: boolean): Promise<string[]> {
    const { layers, is_missing } = await requestTile({ z: 0, x: 0, y: 0 });
    if (is_missing && !may_be_missing)
      throw new SourceUnusable('the host has no tile 0/0/0, and no TileJSON beside it');
    return layers;
  }

  return {
    fetchTile: (address: TileAddress): Promise<MapTile> =>
      limit(() => withPause(async () => (await requestTile(address)).tile)),
    /** Finds the schema of the tiles by their layers, in the TileJSON or in a tile. */
    readFacts: (): Promise<TileSourceFacts> =>
      withPause(async () => {
        const described = await readTileJson(template, { timeout_ms, timer });
        const layers = described?.layers ?? (await readWorldLayers(described !== undefined));
        if (layers.length > 0 && !findSchema(layers))
          throw new SourceUnusable('its tiles have the layers of neither OpenMapTiles nor Protomaps');
        return described?.facts ?? DEFAULT_FACTS;
      }),
  };
}
