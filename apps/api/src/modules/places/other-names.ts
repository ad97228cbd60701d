import { readFileSync } from 'node:fs';
import type { WrittenNames } from './hand-names.ts';

/**
 * What the cities of the world's time zones are called in all languages, by GeoNames' number: the exemplar cities of
 * Unicode's CLDR 48 (cldr-dates-full, `exemplarCity` in every locale; Unicode License v3), each joined with the most
 * populous town of that name in its zone. `home` is in the most spoken
 * language of its country. All but the names to show are folded.
 */
export function readExemplarCities(): Map<number, WrittenNames> {
  const [, ...rows] = readFileSync(new URL('./cldr-city-names.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return new Map(
    rows.map((row): [number, WrittenNames] => {
      const [id, en = '', es = '', home = '', other = ''] = row.split('\t');
      const names: WrittenNames = { other_folded: other.split('|') };
      if (en) names.en = en;
      if (es) names.es = es;
      if (home) names.home = home;
      return [Number(id), names];
    }),
  );
}
