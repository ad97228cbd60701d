import type { TileSourceFacts } from './checked-reader.ts';
import type { TileAddress } from './tile-address.ts';

export interface MapTile {
  /** Empty if the map has no data there. */
  bytes: Uint8Array<ArrayBuffer>;
  gzipped: boolean;
}

export const EMPTY_TILE: MapTile = { bytes: new Uint8Array(0), gzipped: false };

/** Where a map's tiles come from. */
export interface TileSource {
  /** Throws a StartError if it is no map; returns the error if its host is not reached in time. Later calls retry. */
  open(): Promise<Error | undefined>;
  /** Returns undefined until the map is open. */
  describe(): Promise<TileSourceFacts | undefined>;
  /** Throws `unavailable`. */
  getTile(address: TileAddress): Promise<MapTile>;
}
