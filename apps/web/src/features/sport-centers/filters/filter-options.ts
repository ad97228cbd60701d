import { getSportCenterFilterOptions } from '@sendlap/contract/sport-centers.ts';
import type { Position } from '@sendlap/domain/geo.ts';
import { compareNames, foldText } from '@sendlap/domain/names.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call } from '#web/shared/api/client.ts';
import { countryName } from '#web/shared/data/town-names.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { searchCopies } from '#web/shared/local-db/center-search.ts';
import { fixAllCaps } from '../search/fix-all-caps.ts';
import type { SearchState } from '../search/search-store.ts';
import type { CenterSearchResult } from '../search/use-center-search.ts';

interface FilterOption {
  value: string;
  name: string;
}

/** The countries and cities to choose from, by name; they include the chosen ones. */
interface FilterOptions {
  countries: FilterOption[];
  cities: FilterOption[];
}

/** Where a center is; null: not known. */
interface Whereabouts {
  country: string | null;
  city: string | null;
}

const NONE: Whereabouts[] = [];
/** How long a reply counts as fresh. */
const STALE_MS = 5 * 60_000;
/** More are no list to choose from; the search finds any city by its name. */
const MAX_FREQUENT_CITIES = 100;
/** Copies whose countries and cities are offered while the server can't be asked. */
const MAX_COPIES = 1_000;

/** The server's countries, and its most frequent cities. */
function getFilterOptionsQuery() {
  return queryOptions({
    queryKey: ['sport-centers', 'filter-options'],
    async queryFn({ signal }): Promise<Whereabouts[]> {
      // The centers of an area may have been loaded since the browser cached the reply.
      const { countries, cities } = await call(getSportCenterFilterOptions, {}, { signal, revalidate: true });
      return [
        ...countries.map(({ value }) => ({ country: value, city: null })),
        ...cities.slice(0, MAX_FREQUENT_CITIES).map(({ value }) => ({ country: null, city: value })),
      ];
    },
    staleTime: STALE_MS,
  });
}

/** Where the nearest centers on this device are. */
function getCopiesWhereaboutsQuery({ latitude, longitude }: Position) {
  return queryOptions({
    queryKey: ['sport-centers', 'copies', 'whereabouts', latitude, longitude],
    async queryFn(): Promise<Whereabouts[]> {
      const query = { latitude, longitude, sort: 'distance' as const };
      const page = await searchCopies({ query, after: null, limit: MAX_COPIES });
      return page?.items ?? [];
    },
    staleTime: 0,
    gcTime: 0,
  });
}

/**
 * The options for a search: from the server, without it from this device's copies, and from the list. With a country
 * chosen, only cities that are known to be in it.
 */
export function useFilterOptions(search: SearchState, result: CenterSearchResult): FilterOptions {
  const locale = useLocale();
  const online = useOnline();
  // The list comes first.
  const enabled = !result.is_pending;
  const { data, isError } = useQuery({ ...getFilterOptionsQuery(), enabled: enabled && online });
  const is_unanswered = data === undefined && (isError || !online);
  const copies = useQuery({ ...getCopiesWhereaboutsQuery(search.origin), enabled: enabled && is_unanswered });
  const listed = useListedWhereabouts(search, result);
  const { country, city } = search;
  const known = data ?? copies.data ?? NONE;
  return useMemo(
    () => optionsOf([...known, ...listed, { country, city }], country, locale),
    [known, listed, country, city, locale],
  );
}

/** A list of one city does not name the others: it keeps those of the list before. */
function useListedWhereabouts({ city }: SearchState, { items }: CenterSearchResult): readonly Whereabouts[] {
  const [listed, setListed] = useState<readonly Whereabouts[]>(items);
  if (city === null && listed !== items) setListed(items);
  return listed;
}

/** Options of the same folded name count as one, under the name that comes first. */
export function optionsOf(known: readonly Whereabouts[], country: string | null, locale: string): FilterOptions {
  const countries = new Map<string, FilterOption>();
  const cities = new Map<string, FilterOption>();
  for (const one of known) {
    const code = one.country?.toUpperCase();
    if (code && !countries.has(code)) countries.set(code, { value: code, name: countryName(code, locale) });
    const folded = foldText(one.city ?? '');
    if (folded === '' || cities.has(folded) || (country !== null && code !== country)) continue;
    cities.set(folded, { value: one.city ?? '', name: fixAllCaps(one.city ?? '') });
  }
  const byName = (a: FilterOption, b: FilterOption) => compareNames(a.name, b.name, locale);
  return { countries: [...countries.values()].sort(byName), cities: [...cities.values()].sort(byName) };
}

/** The value of the option with this folded name; '' for none chosen. */
export function optionValue(options: readonly FilterOption[], chosen: string | null): string {
  if (chosen === null) return '';
  return options.find(({ value }) => foldText(value) === foldText(chosen))?.value ?? chosen;
}
