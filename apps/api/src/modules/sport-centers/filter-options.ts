import type { Reply } from '@sendlap/contract/endpoint.ts';
import type { getSportCenterFilterOptions } from '@sendlap/contract/sport-centers.ts';
import { compareCodePoints } from '@sendlap/domain/sport-centers.ts';
import type { Counted } from './store.ts';

export type FilterOptions = Reply<typeof getSportCenterFilterOptions>;
type Option = FilterOptions['sports'][number];

/** The most frequent first; spellings that search alike count as one, under the most frequent of them. */
export function toOptions(counted: readonly Counted[]): Option[] {
  const options = new Map<string, Option>();
  for (const { value, key, count } of [...counted].sort(compareOptions)) {
    const same = options.get(key);
    if (same) same.count += count;
    else options.set(key, { value, count });
  }
  return [...options.values()].sort(compareOptions);
}

function compareOptions(a: Option, b: Option): number {
  return b.count - a.count || compareCodePoints(a.value, b.value);
}
