import { STREET_TILES_PATH, TILES_PATH } from '@sendlap/contract/tiles.ts';
import { addProtocol } from 'maplibre-gl';
import { loadTile } from '#web/shared/local-db/map-tiles.ts';
import { readTileAddress, TILE_PROTOCOL } from './tile-address.ts';

let is_known = false;

/**
 * Lets the map read its tiles through this device's copies: fresh ones without asking, old ones where there is no
 * network. `base`: where the server answers, e.g. https://sendlap.example.
 */
export function serveTiles(base: string): void {
  if (is_known) return;
  is_known = true;
  const roots = { world: `${base}${TILES_PATH}`, streets: `${base}${STREET_TILES_PATH}` };
  addProtocol(TILE_PROTOCOL, async ({ url }, { signal }) => {
    const { layer, zoom, x, y } = readTileAddress(url);
    const tile = await loadTile(`${roots[layer]}/${zoom}/${x}/${y}.mvt`, zoom, x, y, signal);
    // MapLibre gives its bytes away to a worker; the copy that is being saved must keep its own.
    return { data: tile.slice() };
  });
}
