import type { Reply } from '@sendlap/contract/endpoint.ts';
import type { getSportCenterFilterOptions, SportCenter } from '@sendlap/contract/sport-centers.ts';
import { foldText } from '@sendlap/domain/names.ts';
import { compare } from './center-index.ts';

export type FilterOptions = Reply<typeof getSportCenterFilterOptions>;
type Option = FilterOptions['sports'][number];

/** What occurs and how often, the most frequent first; spellings of a city that search alike count as one. */
export function countFilterOptions(centers: readonly SportCenter[]): FilterOptions {
  return {
    sports: count(centers.flatMap((center) => center.sport_facilities.map(({ type }) => type))),
    countries: count(centers.map((center) => center.country)),
    cities: count(centers.map((center) => center.city)),
  };
}

function count(values: readonly (string | null)[]): Option[] {
  const present = values.filter((value): value is string => value !== null && value !== '');
  const groups = Map.groupBy(present, foldText).values();
  return [...groups].map((same) => ({ value: mostFrequent(same), count: same.length })).sort(compareOptions);
}

function mostFrequent(spellings: readonly string[]): string {
  const counted = [...Map.groupBy(spellings, (spelling) => spelling)];
  const options = counted.map(([value, same]) => ({ value, count: same.length })).sort(compareOptions);
  return options[0]?.value ?? '';
}

function compareOptions(a: Option, b: Option): number {
  return b.count - a.count || compare(a.value, b.value);
}
