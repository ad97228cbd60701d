import { foldText } from '@sendlap/domain/names.ts';
import { type SearchableText, searchTextOf } from '@sendlap/domain/sport-centers.ts';

/**
 * The search columns of a center that lies in the towns of `place_names`: what SQL looks at in place of its texts, folded as
 * the domain folds.
 */
export function describeForSearch(center: Omit<SearchableText, 'place_names'>, place_names: readonly string[]) {
  return {
    /** What lists by name are ordered by. */
    search_name: foldText(center.name),
    /** Where words are looked for. */
    search_text: searchTextOf({ ...center, place_names }),
    /** '' where no city is known. */
    search_city: foldText(center.city ?? ''),
  };
}
