import { distanceKm, type Position } from './geo.ts';
import { foldText } from './names.ts';

/** A town of the gazetteer, or a part of one. */
export interface Town extends Position {
  /** Its number in GeoNames. */
  id: number;
  /** ISO 3166-1 alpha-2. */
  country: string;
  population: number;
  /** A quarter or a district, which people call by the name of its city. */
  is_part: boolean;
}

/** How many towns a position is described by. */
export const MAX_TOWNS_AROUND = 4;

const PART_RADIUS_KM = 2;
const VILLAGE_RADIUS_KM = 3;
/** About as far as the people of a town say that they live in it, by its population. */
const RADII: readonly { population: number; radius_km: number }[] = [
  { population: 5_000_000, radius_km: 30 },
  { population: 1_000_000, radius_km: 20 },
  { population: 200_000, radius_km: 12 },
  { population: 50_000, radius_km: 8 },
  { population: 10_000, radius_km: 5 },
];

/** The radius in km of the circle that a town fills. */
export function townRadiusKm({ population, is_part }: Pick<Town, 'population' | 'is_part'>): number {
  if (is_part) return PART_RADIUS_KM;
  return RADII.find((step) => population >= step.population)?.radius_km ?? VILLAGE_RADIUS_KM;
}

/** Order of importance: towns before parts of them, the most populous first, equals by number. */
export function compareTowns(a: Town, b: Town): number {
  return Number(a.is_part) - Number(b.is_part) || b.population - a.population || a.id - b.id;
}

/** A name for comparing: folded as in every search, words parted by one space (`L’Aquila` → `l aquila`). */
export function foldPlaceName(name: string): string {
  return foldText(name)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** True where two entries of one name are the same place to people: one country, one inside the circle of the other. */
export function isSameTown(a: Town, b: Town): boolean {
  return a.country === b.country && distanceKm(a, b) <= Math.max(townRadiusKm(a), townRadiusKm(b));
}

/**
 * The towns that a position lies in, at most MAX_TOWNS_AROUND, the most important first: the nearest of those whose
 * circle holds it (who is in Getafe would else be told four bigger neighbours), and the most important others.
 */
export function townsAround<T extends Town>(towns: readonly T[], position: Position): T[] {
  const holding = towns.filter((town) => distanceKm(town, position) <= townRadiusKm(town)).sort(compareTowns);
  const [nearest] = holding.toSorted((a, b) => distanceKm(a, position) - distanceKm(b, position) || compareTowns(a, b));
  const chosen = holding.filter((town) => town !== nearest).slice(0, MAX_TOWNS_AROUND - 1);
  return nearest ? [nearest, ...chosen].sort(compareTowns) : [];
}

/** What a town is called, folded by foldPlaceName. */
export interface TownNames {
  /** Where it lies, in English and in Spanish, the main name first. */
  names: readonly string[];
  /** In any other language. */
  other_names: readonly string[];
}

/**
 * The towns one of whose names begins with the text: those that are called just so first, then those of which a name of
 * their own begins so, then those that another language calls so; within each by importance. Of several entries for one
 * place only the first. The text is folded by foldPlaceName; an empty one finds none.
 */
export function searchTowns<T extends Town & TownNames>(towns: readonly T[], text: string, limit: number): T[] {
  if (text === '') return [];
  const begins = (name: string) => name.startsWith(text);
  const rankOf = ({ names, other_names }: T): number => {
    if (names.includes(text) || other_names.includes(text)) return 0;
    if (names.some(begins)) return 1;
    return other_names.some(begins) ? 2 : 3;
  };
  const ranked = towns.map((town) => ({ town, rank: rankOf(town) })).filter(({ rank }) => rank < 3);
  ranked.sort((a, b) => a.rank - b.rank || compareTowns(a.town, b.town));
  return withoutRepeats(
    ranked.map(({ town }) => town),
    limit,
  );
}

/** The first `limit` of them, entries left out that repeat an earlier one: the same main name for the same place. */
export function withoutRepeats<T extends Town & TownNames>(towns: Iterable<T>, limit: number): T[] {
  const kept: T[] = [];
  for (const town of towns) {
    if (kept.length >= limit) break;
    if (!kept.some((other) => other.names[0] === town.names[0] && isSameTown(other, town))) kept.push(town);
  }
  return kept;
}
