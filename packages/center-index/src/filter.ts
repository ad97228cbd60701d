import { foldText } from '@sendlap/domain/names.ts';
import type { CenterQuery } from '@sendlap/domain/sport-centers.ts';
import { wantedFlags } from './columns.ts';
import type { NumberSet } from './number-set.ts';
import { PlaceSet } from './place-set.ts';

/** What of an index the filters look at, by place. */
interface Filtered {
  flags: Uint8Array;
  countries: Uint16Array;
  country_names: readonly string[];
  /** The number at each place. */
  numbers: Uint16Array | Uint32Array;
}

/** Where the centers are that pass every filter of a query that is not about the place; of `matching`, if there is one. */
export type FilterFor = (query: CenterQuery, matching?: NumberSet) => PlaceSet;

/** Sets that are kept, 250 KB each with a million centers: pages of a list, and what many ask for. */
const MAX_KEPT = 16;

/** Makes the filters of an index; each is kept for the next who asks for the same. */
export function createFilters({ flags, countries, country_names, numbers }: Filtered): FilterFor {
  const kept = new Map<string, PlaceSet>();
  const names = new WeakMap<NumberSet, number>();
  let named = 0;

  function nameOf(matching: NumberSet): number {
    const known = names.get(matching);
    if (known !== undefined) return known;
    named += 1;
    names.set(matching, named);
    return named;
  }

  function collect({ sport, is_private }: CenterQuery, country: number | undefined): PlaceSet {
    const { mask, value } = wantedFlags(sport, is_private);
    return new PlaceSet(flags.length, (place) => {
      return ((flags[place] ?? 0) & mask) === value && (country === undefined || countries[place] === country);
    });
  }

  function keep(key: string, make: () => PlaceSet): PlaceSet {
    const set = kept.get(key) ?? make();
    kept.delete(key);
    kept.set(key, set);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return set;
  }

  return (query, matching) => {
    // −1 for a country that no center is in.
    const country = query.country ? country_names.indexOf(foldText(query.country)) : undefined;
    const key = `${query.sport} ${query.is_private} ${country}`;
    const all = keep(key, () => collect(query, country));
    if (!matching) return all;
    return keep(`${key} ${nameOf(matching)}`, () => {
      return new PlaceSet(flags.length, (place) => all.has(place) && matching.has(numbers[place] ?? 0));
    });
  };
}
