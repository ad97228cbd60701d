/** Position of a tile: `x` counts east from the antimeridian, `y` south from the top of the Web Mercator square. */
export interface TileAddress {
  z: number;
  x: number;
  y: number;
}

/** Deepest level of the built-in data; maps draw deeper levels from its tiles ("overzoom"). */
export const MAX_TILE_ZOOM = 8;

/** Units along a tile's side. */
export const TILE_EXTENT = 4096;

const MAX_MERCATOR_LATITUDE = 85.0511287798066;

/** Whether the numbers are integers that address an existing tile, down to the level `max_zoom`. */
export function isTileAddress({ z, x, y }: TileAddress, max_zoom: number): boolean {
  const isIndex = (value: number, below: number) => Number.isInteger(value) && value >= 0 && value < below;
  return isIndex(z, max_zoom + 1) && isIndex(x, 2 ** z) && isIndex(y, 2 ** z);
}

/** Degrees to the unit square of Web Mercator, (0, 0) in the north-west. */
export function project(longitude: number, latitude: number): { x: number; y: number } {
  const clamped = Math.max(-MAX_MERCATOR_LATITUDE, Math.min(MAX_MERCATOR_LATITUDE, latitude));
  const radians = (clamped * Math.PI) / 180;
  return { x: longitude / 360 + 0.5, y: 0.5 - Math.asinh(Math.tan(radians)) / (2 * Math.PI) };
}
