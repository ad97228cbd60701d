import { distanceKm, type Position } from '@sendlap/domain/geo.ts';
import { createPlaces } from '#api/modules/places/service.ts';
import { foldName } from './fold-name.ts';

let citiesByName: Map<string, Position[]> | null = null;

/** Distance in km from a place to the nearest city of that name in the world, Infinity where no city is called so. */
export function distanceToCityKm(name: string, from: Position): number {
  // Most imports never ask.
  citiesByName ??= Map.groupBy(createPlaces().towns(), ({ given_name }) => foldName(given_name));
  const cities = citiesByName.get(foldName(name)) ?? [];
  return Math.min(Infinity, ...cities.map((city) => distanceKm(city, from)));
}
