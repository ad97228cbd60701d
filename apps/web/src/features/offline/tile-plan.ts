import { type BoundingBox, boundingBox } from '@sendlap/domain/geo.ts';
import type { MapConfig } from '#web/shared/copies/map-config.ts';
import type { SavableArea } from './savable-area.ts';

/** The highest street zoom that is saved: it shows every footpath; the map enlarges its tiles for closer views. */
const MAX_STREETS_ZOOM = 14;
const MAX_WORLD_ZOOM = 8;
/** Mean unpacked sizes, measured on our own tiles and on street maps of small and large towns. */
const WORLD_TILE_BYTES = 6_000;
const STREETS_TILE_BYTES = 12_000;
/** The limit of the Web Mercator projection. */
const MAX_LATITUDE = 85.0511;

export interface PlannedTile {
  layer: 'world' | 'streets';
  zoom: number;
  x: number;
  y: number;
}

export interface TilePlan {
  tiles: PlannedTile[];
  /** Estimated total size. */
  bytes: number;
  /** Whether some streets were left out because they would not fit. */
  is_trimmed: boolean;
}

/**
 * The tiles to draw an area offline, from low to high zoom: the world, and the streets if the server has them, with as
 * many zoom levels as fit into `budget_bytes`. `config` null: unknown, so the world only.
 */
export function planTiles(area: SavableArea, config: MapConfig | null, budget_bytes: number): TilePlan {
  const box = boundingBox(area, area.radius_km);
  const plan: TilePlan = { tiles: [], bytes: 0, is_trimmed: false };
  const max_world = Math.min(MAX_WORLD_ZOOM, config?.world.max_zoom ?? MAX_WORLD_ZOOM);
  for (let zoom = 0; zoom <= max_world; zoom++) addLevel(plan, 'world', tilesInBox(box, zoom));
  const streets = config?.streets;
  if (!streets || !overlaps(box, streets.bounds)) return plan;
  for (let zoom = streets.min_zoom; zoom <= Math.min(MAX_STREETS_ZOOM, streets.max_zoom); zoom++) {
    const level = tilesInBox(box, zoom);
    plan.is_trimmed = plan.bytes + level.length * STREETS_TILE_BYTES > budget_bytes;
    if (plan.is_trimmed) break;
    addLevel(plan, 'streets', level);
  }
  return plan;
}

function addLevel(plan: TilePlan, layer: PlannedTile['layer'], level: TileXY[]): void {
  plan.tiles.push(...level.map((tile) => ({ layer, ...tile })));
  plan.bytes += level.length * (layer === 'world' ? WORLD_TILE_BYTES : STREETS_TILE_BYTES);
}

type TileXY = Omit<PlannedTile, 'layer'>;

/** All tiles of a zoom level that touch the box, also across the antimeridian. */
export function tilesInBox(box: BoundingBox, zoom: number): TileXY[] {
  const width = 2 ** zoom;
  const first = tileColumn(box.west, zoom);
  const last = tileColumn(box.east, zoom);
  const columns = box.west <= box.east ? last - first + 1 : Math.min(width, width - first + last + 1);
  const [top, bottom] = [tileRow(box.north, zoom), tileRow(box.south, zoom)];
  const tiles: TileXY[] = [];
  for (let step = 0; step < columns; step++)
    for (let y = top; y <= bottom; y++) tiles.push({ zoom, x: (first + step) % width, y });
  return tiles;
}

/** Formulas of slippy map tiles, https://wiki.openstreetmap.org/wiki/Slippy_map_tilenames. */
function tileColumn(longitude: number, zoom: number): number {
  return clampIndex(Math.floor(((longitude + 180) / 360) * 2 ** zoom), zoom);
}

function tileRow(latitude: number, zoom: number): number {
  const phi = (Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude)) * Math.PI) / 180;
  return clampIndex(Math.floor(((1 - Math.asinh(Math.tan(phi)) / Math.PI) / 2) * 2 ** zoom), zoom);
}

function clampIndex(index: number, zoom: number): number {
  return Math.max(0, Math.min(2 ** zoom - 1, index));
}

/** Street maps never cross the antimeridian; an area may. */
function overlaps(area: BoundingBox, map: BoundingBox): boolean {
  if (area.north < map.south || area.south > map.north) return false;
  if (area.west <= area.east) return area.east >= map.west && area.west <= map.east;
  return area.east >= map.west || area.west <= map.east;
}

/** The few world tiles around a position, from low to high zoom. */
export function tilesAround(area: SavableArea): TileXY[] {
  const box = boundingBox(area, area.radius_km);
  return Array.from({ length: MAX_WORLD_ZOOM + 1 }, (_, zoom) => tilesInBox(box, zoom)).flat();
}

/** The URL of a tile; `base` is the server's origin, empty for our own. */
export function tileUrl(base: string, { layer, zoom, x, y }: PlannedTile): string {
  return `${base}/v1/tiles/${layer === 'streets' ? 'streets/' : ''}${zoom}/${x}/${y}.mvt`;
}
