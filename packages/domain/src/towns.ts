import { distanceKm, type Position } from './geo.ts';
import { foldText } from './names.ts';
import { isWithinTypos, maxTypos } from './search/typos.ts';

/** A town of the gazetteer, or a part of one. */
export interface GazetteerTown extends Position {
  /** Its number in GeoNames. */
  id: number;
  /** ISO 3166-1 alpha-2. */
  country: string;
  population: number;
  /** A quarter or a district: people use the name of its city. */
  is_part: boolean;
}

/** Maximum number of towns that describe a position. */
export const MAX_TOWNS_AROUND = 4;

const PART_RADIUS_KM = 2;
const VILLAGE_RADIUS_KM = 3;
/** Approximate radius in which people say that they live in a town, by its population. */
const RADII: readonly { population: number; radius_km: number }[] = [
  { population: 5_000_000, radius_km: 30 },
  { population: 1_000_000, radius_km: 20 },
  { population: 200_000, radius_km: 12 },
  { population: 50_000, radius_km: 8 },
  { population: 10_000, radius_km: 5 },
];

/** Returns the radius in km of a town's circle. */
export function townRadiusKm({ population, is_part }: Pick<GazetteerTown, 'population' | 'is_part'>): number {
  if (is_part) return PART_RADIUS_KM;
  return RADII.find((tier) => population >= tier.population)?.radius_km ?? VILLAGE_RADIUS_KM;
}

/** Order of importance: towns before parts of towns, the most populous first, ties by number. */
export function compareTowns(a: GazetteerTown, b: GazetteerTown): number {
  return Number(a.is_part) - Number(b.is_part) || b.population - a.population || a.id - b.id;
}

/** Folds a name for comparing: as in every search, words separated by one space (`L’Aquila` → `l aquila`). */
export function foldTownName(name: string): string {
  return foldText(name)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Returns true if two entries with the same name are one town: same country, one inside the circle of the other. */
export function isSameTown(a: GazetteerTown, b: GazetteerTown): boolean {
  return a.country === b.country && distanceKm(a, b) <= Math.max(townRadiusKm(a), townRadiusKm(b));
}

/**
 * Returns the towns whose circles contain a position, at most MAX_TOWNS_AROUND, most important first: always the
 * nearest (otherwise four bigger neighbours would hide Getafe), and the most important others.
 */
export function townsAround<T extends GazetteerTown>(towns: readonly T[], position: Position): T[] {
  const containing = towns.filter((town) => distanceKm(town, position) <= townRadiusKm(town)).sort(compareTowns);
  const [nearest] = containing.toSorted(
    (a, b) => distanceKm(a, position) - distanceKm(b, position) || compareTowns(a, b),
  );
  const others = containing.filter((town) => town !== nearest).slice(0, MAX_TOWNS_AROUND - 1);
  return nearest ? [nearest, ...others].sort(compareTowns) : [];
}

/** The names of a town, folded by foldTownName. */
export interface TownNames {
  /** Local, English and Spanish names, the main name first. */
  names: readonly string[];
  /** Names in any other language. */
  other_names: readonly string[];
}

/** How a text names a town: by a whole name, by the beginning of one, or by an own name with a typing error. */
export type TownMatch = 'name' | 'beginning' | 'typo';

/** Returns how a text names a town; null: not at all. The text is folded by foldTownName. */
export function matchTown({ names, other_names }: TownNames, text: string): TownMatch | null {
  if (text === '') return null;
  const all = [...names, ...other_names];
  if (all.includes(text)) return 'name';
  if (all.some((name) => name.startsWith(text))) return 'beginning';
  return names.some((name) => isWithinTypos(text, name, maxTypos(text))) ? 'typo' : null;
}

/**
 * Returns the first `limit` towns, without entries that repeat an earlier one: the same main name for the same town.
 */
export function dedupeTowns<T extends GazetteerTown & TownNames>(towns: Iterable<T>, limit: number): T[] {
  const deduped: T[] = [];
  for (const town of towns) {
    if (deduped.length >= limit) break;
    if (!deduped.some((other) => other.names[0] === town.names[0] && isSameTown(other, town))) deduped.push(town);
  }
  return deduped;
}
