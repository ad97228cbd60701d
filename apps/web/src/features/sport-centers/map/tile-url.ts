type TileLayer = 'world' | 'streets';

export const TILE_PROTOCOL = 'sendlap';
const TILE_URL = /^sendlap:\/\/(world|streets)\/(\d+)\/(\d+)\/(\d+)$/;

/** The URL template of a layer's tiles in the style. */
export function tileUrlTemplate(layer: TileLayer): string {
  return `${TILE_PROTOCOL}://${layer}/{z}/{x}/{y}`;
}

/** Throws TypeError if the URL is not that of one of our tiles. */
export function parseTileUrl(address: string): { layer: TileLayer; zoom: number; x: number; y: number } {
  const [, layer, zoom, x, y] = TILE_URL.exec(address) ?? [];
  if (layer !== 'world' && layer !== 'streets') throw new TypeError(`no tile: ${address}`);
  return { layer, zoom: Number(zoom), x: Number(x), y: Number(y) };
}
