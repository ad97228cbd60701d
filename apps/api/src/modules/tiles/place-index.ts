import KDBush from 'kdbush';
import { createPlaces, type NamedTown } from '#api/modules/places/service.ts';
import { MAX_TILE_ZOOM, project, TILE_EXTENT, type TileAddress } from './tile-address.ts';

/** A point of the `places` layer; the geometry is in units of the tile. */
export interface PlacePoint {
  type: 1;
  geometry: [number, number][];
  tags: { name: string; name_es?: string; population: number; rank: number };
}

/** Cuts the named places of a tile, the most populous first. */
export interface PlaceIndex {
  cut(address: TileAddress): PlacePoint[];
}

const MIN_POPULATION = 1000;
/** How many names a tile carries; the map shows fewer, for it lets no two overlap. */
const MAX_PLACES = 60;
const MAX_PLACES_AT_MAX_ZOOM = 250;
/** Parts of cities are bigger than many towns, but their names only help when one is close. */
const CITY_PART_RANK = 6;

/** Of the most important so many there is an index of its own: wide tiles need no more, and hold all others too. */
const LAYER_SIZES = [1000, 10_000];

/** The named places of the world, towns of 1,000 people and more. */
export function buildPlaceIndex(): PlaceIndex {
  const tags: PlacePoint['tags'][] = [];
  const positions: number[] = [];
  for (const town of createPlaces().towns()) {
    if (town.population < MIN_POPULATION) continue;
    const { x, y } = project(town.longitude, town.latitude);
    tags.push(describe(town));
    positions.push(x, y);
  }
  const trees = [...LAYER_SIZES, tags.length].map((size) => indexFirst(positions, Math.min(size, tags.length)));

  /** Numbers follow importance, so that the lowest are what the tile needs. */
  function findMostImportant({ z, x, y }: TileAddress, count: number): number[] {
    const side = 2 ** -z;
    for (const tree of trees) {
      const inside = tree.range(x * side, y * side, (x + 1) * side, (y + 1) * side);
      if (inside.length >= count || tree === trees.at(-1)) return inside.sort((a, b) => a - b).slice(0, count);
    }
    return [];
  }

  return {
    cut(address) {
      const { z, x, y } = address;
      const most = z === MAX_TILE_ZOOM ? MAX_PLACES_AT_MAX_ZOOM : MAX_PLACES;
      return findMostImportant(address, most).flatMap((at): PlacePoint[] => {
        const place = tags[at];
        if (!place || (place.rank === CITY_PART_RANK && z < MAX_TILE_ZOOM)) return [];
        const toTile = (axis: number, corner: number) =>
          Math.round(((positions[at * 2 + axis] ?? 0) * 2 ** z - corner) * TILE_EXTENT);
        return [{ type: 1, tags: place, geometry: [[toTile(0, x), toTile(1, y)]] }];
      });
    },
  };
}

/** `positions` has x and y of each place after one another. */
function indexFirst(positions: readonly number[], count: number): KDBush {
  const tree = new KDBush(count);
  for (let at = 0; at < count; at += 1) tree.add(positions[at * 2] ?? 0, positions[at * 2 + 1] ?? 0);
  return tree.finish();
}

function describe(town: NamedTown): PlacePoint['tags'] {
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
