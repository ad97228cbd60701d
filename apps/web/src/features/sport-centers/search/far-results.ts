import type { FoundSportCenter } from '@sendlap/contract/sport-centers.ts';

/** A user who searches a town by name does not mean a street with that name farther away than this. */
const FAR_KM = 1_000;

/**
 * Drops results over 1,000 km away if nearer ones exist; else returns all. `items`: nearest first, each with its
 * distance from the search origin.
 */
export function dropFarResults(items: FoundSportCenter[]): FoundSportCenter[] {
  const first_far = items.findIndex(({ distance_km }) => distance_km !== null && distance_km > FAR_KM);
  return first_far > 0 ? items.slice(0, first_far) : items;
}
