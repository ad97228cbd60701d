import { readFileSync } from 'node:fs';

/** Names of a town besides GeoNames' one name; all except the displayed ones are folded by foldTownName. */
export interface AlternateNames {
  en: string;
  es?: string;
  /** In the most spoken language of its country, or in the town's own. */
  home?: string;
  other_folded: readonly string[];
}

/**
 * Other names of towns, by GeoNames' number. Two sources: the exemplar cities of Unicode's CLDR 48 (cldr-dates-full,
 * `exemplarCity` in every locale; Unicode License v3), each joined with the most populous town of that name in its
 * zone; and hand-written Spanish and English names of other towns.
 */
export function readTownNames(): Map<number, AlternateNames> {
  const [, ...rows] = readFileSync(new URL('./town-names.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return new Map(
    rows.map((row): [number, AlternateNames] => {
      const [id, en = '', es = '', home = '', other = ''] = row.split('\t');
      return [Number(id), { en, ...(es && { es }), ...(home && { home }), other_folded: other.split('|') }];
    }),
  );
}
