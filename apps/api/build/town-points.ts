import { zxyToTileId } from 'pmtiles';
import { MAX_TILE_ZOOM, project, TILE_EXTENT } from '#api/modules/tiles/archive/tile-address.ts';
import { createTownService, type NamedTown } from '#api/modules/towns/service.ts';

/** A point of the `places` layer; the geometry is in units of the tile. */
export interface TownPoint {
  type: 1;
  geometry: [number, number][];
  tags: { name: string; name_es?: string; population: number; rank: number };
}

const MIN_POPULATION = 1000;
/** How many names a tile carries; the map shows fewer, because labels must not overlap. */
const MAX_TOWNS = 60;
const MAX_TOWNS_AT_MAX_ZOOM = 250;
/** Parts of cities are bigger than many towns, but their names only help when one is close. */
const CITY_PART_RANK = 6;

/** The towns of every tile that has any, by the tile's PMTiles id, the most important towns first. */
export function placeTowns(): Map<number, TownPoint[]> {
  const tiles = new Map<number, TownPoint[]>();
  for (const town of createTownService().allTowns()) {
    if (town.population < MIN_POPULATION) continue;
    const tags = describe(town);
    const position = project(town.longitude, town.latitude);
    for (let z = tags.rank === CITY_PART_RANK ? MAX_TILE_ZOOM : 0; z <= MAX_TILE_ZOOM; z += 1) {
      const [across, down] = [position.x * 2 ** z, position.y * 2 ** z];
      const [x, y] = [Math.min(Math.floor(across), 2 ** z - 1), Math.floor(down)];
      const id = zxyToTileId(z, x, y);
      const points = tiles.get(id) ?? [];
      if (points.length === (z === MAX_TILE_ZOOM ? MAX_TOWNS_AT_MAX_ZOOM : MAX_TOWNS)) continue;
      const toUnits = (share: number) => Math.round(share * TILE_EXTENT);
      points.push({ type: 1, tags, geometry: [[toUnits(across - x), toUnits(down - y)]] });
      tiles.set(id, points);
    }
  }
  return tiles;
}

function describe(town: NamedTown): TownPoint['tags'] {
  const { name, name_es, population } = town;
  return { name, population, rank: rankOf(town), ...(name_es === null ? {} : { name_es }) };
}

/** 1 for capitals and cities of a million, then by size; 6 for a part of a city. */
function rankOf({ is_part, is_capital, population }: NamedTown): number {
  if (is_part) return CITY_PART_RANK;
  if (is_capital || population >= 1_000_000) return 1;
  if (population >= 200_000) return 2;
  if (population >= 50_000) return 3;
  return population >= 10_000 ? 4 : 5;
}
