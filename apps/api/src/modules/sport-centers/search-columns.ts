import { foldText } from '@sendlap/domain/names.ts';
import { type SearchableText, searchTextOf } from '@sendlap/domain/sport-centers.ts';

/**
 * The search columns of a center within the towns of `place_names`: SQL searches these, folded as in the domain,
 * instead of the texts.
 */
export function toSearchColumns(center: Omit<SearchableText, 'place_names'>, place_names: readonly string[]) {
  return {
    /** Sort key of lists by name. */
    search_name: foldText(center.name),
    /** The text that words are searched in. */
    search_text: searchTextOf({ ...center, place_names }),
    /** '' if the city is unknown. */
    search_city: foldText(center.city ?? ''),
  };
}
