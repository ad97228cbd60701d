import { isWithinTypos, maxTypos } from '../src/search/typos.ts';
import { compareTowns, dedupeTowns, type GazetteerTown, type TownNames } from '../src/towns.ts';

/**
 * Returns the towns with a name that begins with the text: first exact matches, then own names with the prefix, then
 * names of other languages; each group by importance. Without any, the towns with an own name that the text
 * misspells by one error, else by two. Of several entries for one town only the first. The text is folded by
 * foldTownName; an empty one finds no town.
 */
export function searchEveryTown<T extends GazetteerTown & TownNames>(
  towns: readonly T[],
  text: string,
  limit: number,
): T[] {
  if (text === '') return [];
  const hasPrefix = (name: string) => name.startsWith(text);
  const rankOf = ({ names, other_names }: T): number => {
    if (names.includes(text) || other_names.includes(text)) return 0;
    if (names.some(hasPrefix)) return 1;
    return other_names.some(hasPrefix) ? 2 : 3;
  };
  const ranked = towns.map((town) => ({ town, rank: rankOf(town) })).filter(({ rank }) => rank < 3);
  ranked.sort((a, b) => a.rank - b.rank || compareTowns(a.town, b.town));
  const found = ranked.length > 0 ? ranked.map(({ town }) => town) : misspeltTowns(towns, text);
  return dedupeTowns(found, limit);
}

function misspeltTowns<T extends GazetteerTown & TownNames>(towns: readonly T[], text: string): T[] {
  for (let errors = 1; errors <= maxTypos(text); errors += 1) {
    const similar = towns.filter(({ names }) => names.some((name) => isWithinTypos(text, name, errors)));
    if (similar.length > 0) return similar.sort(compareTowns);
  }
  return [];
}
