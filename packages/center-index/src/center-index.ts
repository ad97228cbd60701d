import type { Position } from '@sendlap/domain/geo.ts';
import { foldText } from '@sendlap/domain/names.ts';
import type { CenterQuery } from '@sendlap/domain/sport-centers.ts';
import { SPORTS, type Sport } from '@sendlap/domain/sports.ts';
import KDBush from 'kdbush';
import { IdColumn } from './id-column.ts';
import { type Columns, searchColumns } from './search.ts';

/** The facts of a center that the index keeps. */
export interface IndexedCenter extends Position {
  id: string;
  sports: readonly Sport[];
  is_private: boolean | null;
  country: string | null;
  /** A closed center is only found by its id. */
  is_closed: boolean;
}

/** A found center: its number in the order by name, and its distance if the query has a position. */
export interface Hit {
  number: number;
  distance_km: number | null;
}

export interface HitPage {
  hits: Hit[];
  /** The number of matching centers, counted up to `count_limit`. */
  total: number;
  /** More centers than `total` match. */
  total_is_lower_bound: boolean;
  has_more: boolean;
}

/** Where the previous page ended. `id` separates equal distances if the center with this number no longer exists. */
export interface PageEnd extends Hit {
  id?: string;
}

export interface Paging {
  limit: number;
  /** Defaults to `MAX_TOTAL`. */
  count_limit?: number;
  after?: PageEnd | undefined;
}

/** Numbers of the centers whose words and city match; undefined if the query has neither. */
export type TextMatches = Pick<ReadonlySet<number>, 'size' | 'has'> & Iterable<number>;

/** All centers at one moment. `search` finds the same centers as the tests' `searchCenters`, in the same order. */
export interface CenterIndex {
  readonly size: number;
  /** Returns undefined for an unknown center; finds closed ones. Ignores letter case. */
  numberOf(id: string): number | undefined;
  /** Returns the id of a center, in lower case. */
  idOf(number: number): string;
  /** Ignores `q` and `city` of the query: `matching` replaces them. */
  search(query: CenterQuery, matching: TextMatches | undefined, paging: Paging): HitPage;
}

/** Collects centers one at a time, so that the caller can pause in between. */
export interface CenterIndexBuilder {
  /** Centers must be added in the order of folded name, then id. */
  add(center: IndexedCenter): void;
  /** Sorts the tree, without pausing. */
  finish(): CenterIndex;
}

const PRIVATE = 1 << SPORTS.length;
const CLOSED = PRIVATE << 1;
/** Smaller than kdbush's default: fewer centers beyond the edge of a circle are checked. */
const NODE_SIZE = 16;

/** Creates a builder for exactly `size` centers: `add` throws beyond that, `finish` if some are missing. */
export function createCenterIndexBuilder(size: number): CenterIndexBuilder {
  const columns = {
    ids: new IdColumn(size),
    positions: new Float64Array(size * 2),
    flags: new Uint8Array(size),
    countries: new Uint16Array(size),
    tree: new KDBush(size, NODE_SIZE),
  };
  const country_numbers = new Map<string, number>();

  function numberOfCountry(country: string): number {
    const folded = foldText(country);
    const number = country_numbers.get(folded) ?? country_numbers.size;
    country_numbers.set(folded, number);
    return number;
  }

  return {
    add(center) {
      const number = columns.tree.add(center.longitude, center.latitude);
      columns.ids.set(number, center.id);
      columns.positions.set([center.longitude, center.latitude], number * 2);
      columns.flags[number] = flagsOf(center);
      columns.countries[number] = numberOfCountry(center.country ?? '');
    },
    finish() {
      columns.tree.finish();
      return openIndex(columns, country_numbers);
    },
  };
}

function openIndex(columns: Columns, country_numbers: ReadonlyMap<string, number>): CenterIndex {
  const { ids } = columns;
  return {
    size: ids.size,
    numberOf: (id) => ids.numberOf(id),
    idOf: (number) => ids.at(number),
    search: (query, matching, paging) => searchColumns(columns, toFilter(query, country_numbers), matching, paging),
  };
}

export function buildCenterIndex(centers: readonly IndexedCenter[]): CenterIndex {
  const builder = createCenterIndexBuilder(centers.length);
  for (const center of centers) builder.add(center);
  return builder.finish();
}

function flagsOf({ sports, is_private, is_closed }: IndexedCenter): number {
  let flags = (is_private === true ? PRIVATE : 0) | (is_closed ? CLOSED : 0);
  for (const sport of sports) flags |= 1 << SPORTS.indexOf(sport);
  return flags;
}

/** A center passes if its flags equal `flags` under the mask, and it is in the country. */
export interface CenterFilter extends CenterQuery {
  mask: number;
  flags: number;
  /** -1 for a country without centers. */
  country_number: number | undefined;
}

function toFilter(query: CenterQuery, country_numbers: ReadonlyMap<string, number>): CenterFilter {
  const sport = query.sport === undefined ? 0 : 1 << SPORTS.indexOf(query.sport);
  return {
    ...query,
    mask: CLOSED | sport | (query.is_private === undefined ? 0 : PRIVATE),
    flags: sport | (query.is_private === true ? PRIVATE : 0),
    country_number: query.country ? (country_numbers.get(foldText(query.country)) ?? -1) : undefined,
  };
}
