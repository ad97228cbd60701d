import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { getMapConfig } from '@sendlap/contract/map/tiles.ts';
import type { Reply } from '@sendlap/contract/wire/endpoint.ts';
import { AppError } from '#api/platform/errors.ts';
import { createCutArchive } from './archive/cut-archive.ts';
import { cutFile } from './archive/cut-file.ts';
import { createMapArchive, type MapArchiveOptions } from './archive/map-archive.ts';
import { isTileAddress, MAX_TILE_ZOOM, type TileAddress } from './archive/tile-address.ts';
import type { MapTile, TileSource } from './archive/tile-source.ts';
import { createTileServer } from './tile-server/tile-server.ts';

type MapConfig = Reply<typeof getMapConfig>;

export type TileService = ReturnType<typeof createTileService>;

interface TileServiceOptions extends MapArchiveOptions {
  /** MAP_STREETS: a PMTiles file of streets, its http(s) address, or the template of a vector tile server. */
  streets?: string | undefined;
  /** Holds the tiles of a tile server, and the streets of the town that was cut last. */
  data_dir?: string | undefined;
}

/** The world map, built from Natural Earth and GeoNames (build/build-world.ts). */
export const WORLD_FILE = fileURLToPath(new URL('../../../dist/world.pmtiles', import.meta.url));
export const WORLD_ATTRIBUTION = 'Natural Earth, GeoNames (CC BY 4.0)';

/** The deepest level in addresses; MapLibre draws no deeper one. */
const MAX_STREET_ZOOM = 24;

/** Serves tiles of the world and, where there are some, of streets. */
export function createTileService({ streets: location, data_dir, ...options }: TileServiceOptions = {}) {
  const world = createMapArchive(WORLD_FILE, options);
  const cut =
    location === undefined && data_dir !== undefined ? createCutArchive(cutFile(data_dir), options) : undefined;
  const streets = cut ?? (location === undefined ? undefined : openStreetSource(location, data_dir, options));
  /** Whether there is a map of streets, though its host may be away. */
  const hasStreets = async () => (cut ? cut.exists() : streets !== undefined);
  return {
    /**
     * Returns a tile of the world. Throws `bad_request` for an address without a tile, `unavailable` without the
     * world's file.
     */
    async getTile(address: TileAddress): Promise<MapTile> {
      checkAddress(address, MAX_TILE_ZOOM);
      return world.getTile(address);
    },
    /**
     * Returns a tile of the streets. Throws `bad_request` for an address without a tile, `not_found` without such a map
     * and `unavailable` while its host is unreachable.
     */
    async getStreetTile(address: TileAddress): Promise<MapTile> {
      if (!streets || !(await hasStreets())) throw new AppError('not_found', 'This server has no map of streets');
      checkAddress(address, MAX_STREET_ZOOM);
      return streets.getTile(address);
    },
    /** `is_complete` is false while the host of the streets is unreachable. */
    async getMapConfig(): Promise<{ config: MapConfig; is_complete: boolean }> {
      const facts = (await streets?.describe()) ?? null;
      const config = { world: { max_zoom: MAX_TILE_ZOOM, attribution: WORLD_ATTRIBUTION }, streets: facts };
      return { config, is_complete: facts !== null || !(await hasStreets()) };
    },
    hasStreets,
    /** Opens the map of streets, as `TileSource.open`. */
    openStreets: async () => streets?.open(),
  };
}

function openStreetSource(location: string, data_dir: string | undefined, options: MapArchiveOptions): TileSource {
  if (data_dir === undefined || !/\{[zxy]\}/.test(location)) return createMapArchive(location, options);
  return createTileServer(location, { ...options, folder: join(data_dir, 'street-tiles') });
}

function checkAddress(address: TileAddress, max_zoom: number): void {
  if (!isTileAddress(address, max_zoom)) throw new AppError('bad_request', 'There is no tile at this zoom, x and y');
}
