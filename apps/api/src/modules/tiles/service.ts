import { fileURLToPath } from 'node:url';
import type { getMapConfig } from '@sendlap/contract/tiles.ts';
import type { Reply } from '@sendlap/contract/wire/endpoint.ts';
import { AppError } from '#api/platform/errors.ts';
import { createMapArchive, type MapArchiveOptions, type MapTile } from './map-archive.ts';
import { isTileAddress, MAX_TILE_ZOOM, type TileAddress } from './tile-address.ts';

type MapConfig = Reply<typeof getMapConfig>;

export type TileService = ReturnType<typeof createTileService>;

interface TileServiceOptions extends MapArchiveOptions {
  /** A PMTiles file of streets, or its http(s) address. */
  pmtiles?: string | undefined;
}

/** The world map, built from Natural Earth and GeoNames (build/build-world.ts). */
export const WORLD_FILE = fileURLToPath(new URL('../../../dist/world.pmtiles', import.meta.url));
export const WORLD_ATTRIBUTION = 'Natural Earth, GeoNames (CC BY 4.0)';

/** The deepest level in addresses; MapLibre draws no deeper one. */
const MAX_STREET_ZOOM = 24;

/** Serves tiles of the world and, with `pmtiles`, of the operator's map. */
export function createTileService({ pmtiles, ...options }: TileServiceOptions = {}) {
  const world = createMapArchive(WORLD_FILE, options);
  const streets = pmtiles === undefined ? undefined : createMapArchive(pmtiles, options);
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
     * Returns a tile of the operator's map. Throws `bad_request` for an address without a tile, `not_found` without
     * such a map and `unavailable` while its host is unreachable.
     */
    async getStreetTile(address: TileAddress): Promise<MapTile> {
      if (!streets) throw new AppError('not_found', 'This server has no map of streets');
      checkAddress(address, MAX_STREET_ZOOM);
      return streets.getTile(address);
    },
    /** `is_complete` is false while the host of the operator's map is unreachable. */
    async getMapConfig(): Promise<{ config: MapConfig; is_complete: boolean }> {
      const facts = (await streets?.describe()) ?? null;
      const config = { world: { max_zoom: MAX_TILE_ZOOM, attribution: WORLD_ATTRIBUTION }, streets: facts };
      return { config, is_complete: !streets || facts !== null };
    },
    /** Opens the operator's map, as `MapArchive.open`. */
    openStreets: async () => streets?.open(),
  };
}

function checkAddress(address: TileAddress, max_zoom: number): void {
  if (!isTileAddress(address, max_zoom)) throw new AppError('bad_request', 'There is no tile at this zoom, x and y');
}
