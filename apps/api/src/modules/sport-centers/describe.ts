import { foldText } from '@sendlap/domain/names.ts';
import { type SearchableText, searchTextOf } from '@sendlap/domain/sport-centers.ts';

/** What SQL looks at in place of the texts of a center, folded as the domain folds. */
export interface SearchColumns {
  /** What lists by name are ordered by. */
  search_name: string;
  /** Where words are looked for. */
  search_text: string;
  /** '' where no city is known. */
  search_city: string;
}

/** The search columns of a center that lies in the towns of `place_names`. */
export function describeForSearch(
  center: Omit<SearchableText, 'place_names'>,
  place_names: readonly string[],
): SearchColumns {
  return {
    search_name: foldText(center.name),
    search_text: searchTextOf({ ...center, place_names }),
    search_city: foldText(center.city ?? ''),
  };
}
