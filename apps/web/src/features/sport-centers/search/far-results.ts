import type { FoundSportCenter } from '@sendlap/contract/sport-centers.ts';

/** Farther than this is another trip: who looks for a town by its name does not mean a street of that name there. */
const FAR_KM = 1_000;

/**
 * Without what lies over 1,000 km away, where something nearer was found too; else all. `items`: nearest first, each with
 * its distance from where the search looks.
 */
export function nearResults(items: FoundSportCenter[]): FoundSportCenter[] {
  const far_from = items.findIndex(({ distance_km }) => distance_km !== null && distance_km > FAR_KM);
  return far_from > 0 ? items.slice(0, far_from) : items;
}
