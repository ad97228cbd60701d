import { distanceKm, type Position } from '@sendlap/domain/geo.ts';
import { createPlaces } from '#api/modules/places/service.ts';
import { foldName } from './fold-name.ts';

let known: Map<string, Position[]> | null = null;

/** Distance in km from a place to the nearest city of that name in the world, Infinity where no city is called so. */
export function distanceToCityKm(name: string, from: Position): number {
  known ??= loadCities();
  const cities = known.get(foldName(name)) ?? [];
  return Math.min(Infinity, ...cities.map((city) => distanceKm(city, from)));
}

/** The positions of all cities by their folded names. */
function loadCities(): Map<string, Position[]> {
  const cities = new Map<string, Position[]>();
  for (const { given_name, latitude, longitude } of createPlaces().towns()) {
    const name = foldName(given_name);
    const namesakes = cities.get(name);
    if (namesakes === undefined) cities.set(name, [{ latitude, longitude }]);
    else namesakes.push({ latitude, longitude });
  }
  return cities;
}
