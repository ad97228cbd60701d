import { foldText } from '@sendlap/domain/names.ts';
import type { CenterQuery } from '@sendlap/domain/sport-centers.ts';
import { type Columns, FLAG_VALUES, type WantedFlags, wantedFlags } from './columns.ts';
import type { NumberSet } from './number-set.ts';

/** Every filter of a query that is not about the place. */
export interface Filter {
  passes(number: number): boolean;
  /** Whether all pass that are open. */
  is_open_only: boolean;
  /** How many centers pass; undefined where words decide, since nobody counted those before. */
  countAll(): number | undefined;
}

/** How many centers there are with each country and flags. */
export function countGroups({ size, flags, countries, country_names }: Columns): Uint32Array {
  const groups = new Uint32Array(country_names.length * FLAG_VALUES);
  for (let number = 0; number < size; number += 1) {
    const group = (countries[number] ?? 0) * FLAG_VALUES + (flags[number] ?? 0);
    groups[group] = (groups[group] ?? 0) + 1;
  }
  return groups;
}

const ANY_COUNTRY = -1;
/** Stands for a country that no center is in. */
const NO_COUNTRY = -2;

export function filterOf(
  columns: Columns,
  groups: Uint32Array,
  { sport, is_private, country }: CenterQuery,
  numbers: NumberSet | undefined,
): Filter {
  const { flags, countries } = columns;
  const { mask, value } = wantedFlags(sport, is_private);
  const wanted = country ? findCountry(columns, country) : ANY_COUNTRY;
  const passes = (number: number): boolean =>
    ((flags[number] ?? 0) & mask) === value && (wanted === ANY_COUNTRY || countries[number] === wanted);
  if (numbers) {
    const passesWords = (number: number) => numbers.has(number) && passes(number);
    return { passes: passesWords, is_open_only: false, countAll: () => undefined };
  }
  const is_open_only = sport === undefined && is_private === undefined && wanted === ANY_COUNTRY;
  return { passes, is_open_only, countAll: () => countWanted(groups, { mask, value }, wanted) };
}

function findCountry({ country_names }: Columns, country: string): number {
  const found = country_names.indexOf(foldText(country));
  return found < 0 ? NO_COUNTRY : found;
}

function countWanted(groups: Uint32Array, { mask, value }: WantedFlags, wanted: number): number {
  let total = 0;
  for (let group = 0; group < groups.length; group += 1) {
    const country = Math.floor(group / FLAG_VALUES);
    const isCounted = (group & mask) === value && (wanted === ANY_COUNTRY || country === wanted);
    if (isCounted) total += groups[group] ?? 0;
  }
  return total;
}
