import type { Reply } from '@sendlap/contract/endpoint.ts';
import type { getMapConfig } from '@sendlap/contract/tiles.ts';
import { AppError } from '#api/platform/errors.ts';
import { createMapArchive, type MapArchiveOptions, type MapTile } from './map-archive.ts';
import { isTileAddress, MAX_TILE_ZOOM, type TileAddress } from './tile-address.ts';
import { WORLD_ATTRIBUTION, WORLD_FILE } from './world.ts';

type MapConfig = Reply<typeof getMapConfig>;

export interface TileService {
  /** A tile of the world. Throws `bad_request` for an address without a tile, `unavailable` without the world's file. */
  getTile(address: TileAddress): Promise<MapTile>;
  /**
   * A tile of the operator's map. Throws `bad_request` for an address without a tile, `not_found` without such a map
   * and `unavailable` while its host cannot be reached.
   */
  getStreetTile(address: TileAddress): Promise<MapTile>;
  /** `settled` is false while the host of the operator's map cannot be reached. */
  getMapConfig(): Promise<{ config: MapConfig; settled: boolean }>;
  /**
   * Opens the operator's map. Throws a StartError for a file that is no map; returns the problem of a host that cannot be
   * reached now, which later calls try again.
   */
  openStreets(): Promise<Error | undefined>;
}

interface TileServiceOptions extends MapArchiveOptions {
  /** A PMTiles file of streets, or its http(s) address. */
  pmtiles?: string | undefined;
}

/** The deepest level that addresses can name; MapLibre draws no deeper one. */
const MAX_STREET_ZOOM = 24;

/** Tiles of the world and, with `pmtiles`, of the operator's map. */
export function createTileService({ pmtiles, ...options }: TileServiceOptions = {}): TileService {
  const world = createMapArchive(WORLD_FILE, options);
  const streets = pmtiles === undefined ? undefined : createMapArchive(pmtiles, options);
  return {
    async getTile(address) {
      checkAddress(address, MAX_TILE_ZOOM);
      return world.getTile(address);
    },
    async getStreetTile(address) {
      if (!streets) throw new AppError('not_found', 'This server has no map of streets');
      checkAddress(address, MAX_STREET_ZOOM);
      return streets.getTile(address);
    },
    async getMapConfig() {
      const facts = (await streets?.describe()) ?? null;
      const config = { world: { max_zoom: MAX_TILE_ZOOM, attribution: WORLD_ATTRIBUTION }, streets: facts };
      return { config, settled: !streets || facts !== null };
    },
    openStreets: async () => streets?.open(),
  };
}

function checkAddress(address: TileAddress, max_zoom: number): void {
  if (!isTileAddress(address, max_zoom)) throw new AppError('bad_request', 'There is no tile at this zoom, x and y');
}
