import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import type { Town } from '@sendlap/contract/towns.ts';
import { foldTownName } from '@sendlap/domain/towns.ts';

/** The suggested towns stay in sight below them. */
const MAX_NAMED = 3;
/** Minimum length of a text that names a center. */
const MIN_LETTERS = 2;

type Named = Pick<SportCenter, 'id' | 'name' | 'other_names'>;

/**
 * Returns the centers to list before the suggested towns: in their order, those of whose names a word begins with the
 * typed text. None if the text is the name of a suggested town. A center named after such a town (“Climbing Madrid” for
 * “madr”) does not count.
 */
export function namedFirst<Center extends Named>(
  centers: readonly Center[],
  text: string,
  towns: readonly Pick<Town, 'name' | 'name_es'>[],
): Center[] {
  const typed = foldTownName(text);
  const town_names = towns.flatMap(({ name, name_es }) => [name, name_es ?? '']).map(foldTownName);
  if (typed.length < MIN_LETTERS || towns.length === 0 || town_names.includes(typed)) return [];
  const meant_towns = town_names.filter((name) => name.startsWith(typed));
  const isNamed = (name: string) =>
    ` ${name}`.includes(` ${typed}`) && !meant_towns.some((town) => ` ${name} `.includes(` ${town} `));
  return centers
    .filter(({ name, other_names }) => [name, ...other_names].some((any) => isNamed(foldTownName(any))))
    .slice(0, MAX_NAMED);
}
