import type { Position } from '@sendlap/domain/geo.ts';
import type { CenterQuery } from '@sendlap/domain/sport-centers.ts';
import KDBush from 'kdbush';
import { type Columns, type Ids, type IndexedCenter, idComparer, idOf, writeColumns } from './columns.ts';
import { createFilters } from './filter.ts';
import { type Order, orderColumns } from './index-columns.ts';
import { findNearest, type Searched, search } from './search.ts';
import type { Tree } from './traverse.ts';

/** A center as a search found it: its number in the order by name, and its distance where the query has a position. */
export interface Hit {
  number: number;
  /** Where it stands among all: neighbours have places side by side, which is good for what is kept by place. */
  place: number;
  distance_km: number | null;
}

export interface HitPage {
  hits: Hit[];
  /** How many match in all. */
  total: number;
  has_more: boolean;
}

/** Where a page ended. `id` is for a center that may be gone: then it is that id that separates equal distances. */
export interface After extends Pick<Hit, 'number' | 'distance_km'> {
  id?: string;
}

export interface Paging {
  limit: number;
  /** Go on after this one; for lists by distance its distance belongs to it. */
  after?: After | undefined;
}

/**
 * Numbers of the centers whose words and city match, which somebody else found (a database, or texts in memory);
 * undefined where the query has neither. A `NumberSet` is used as it is, and must not change from then on; anything else is read into
 * one.
 */
export type Matching = Iterable<number> | undefined;

/**
 * All centers of one moment as columns with a spatial index; 47 bytes each. `search` finds what `searchCenters` of
 * the domain finds for the same query, in the same order.
 */
export interface CenterIndex {
  readonly size: number;
  /** What the index takes in memory. */
  readonly bytes: number;
  /** Undefined where there is no such center; closed ones are found. Either letter case. */
  numberOf(id: string): number | undefined;
  /** The id of a center, in lower case. */
  idOf(number: number): string;
  /** The place of a hit with this number; all places are from 0 to `size` − 1. */
  placeOf(number: number): number;
  /** `q` and `city` of the query are not looked at: `matching` stands for them. */
  search(query: CenterQuery, matching: Matching, paging: Paging): HitPage;
  /** The first of such a search by distance; costs less, because nothing is counted. */
  findNearest(query: CenterQuery & Position, limit: number): Hit[];
}

/** Builds the index in this thread; `count` is at least how many come. They have to come by folded name, then id. */
export function buildCenterIndex(centers: Iterable<IndexedCenter>, count: number): CenterIndex {
  const writer = writeColumns(count);
  for (const center of centers) writer.add(center);
  const columns = writer.finish();
  return openCenterIndex(columns, orderColumns(columns));
}

/** What of the columns is still needed when they are in order. */
export type NamedColumns = Pick<Columns, 'ids' | 'country_names'>;

/** The index over columns whose order was computed before, maybe in another process. */
export function openCenterIndex({ ids, country_names }: NamedColumns, order: Order): CenterIndex {
  const { places, flags, countries, by_id } = order;
  const tree: Tree = KDBush.from(order.tree) as KDBush & Tree;
  const filterFor = createFilters({ flags, countries, country_names, numbers: tree.ids });
  const index: Searched = { ids, tree, places, filterFor };
  const held = [order.tree, places, flags, countries, ids, by_id];
  return {
    size: places.length,
    bytes: held.reduce((sum, { byteLength }) => sum + byteLength, 0),
    numberOf: (id) => findId(index, by_id, id),
    idOf: (number) => idOf(index, number),
    placeOf: (number) => places[number] ?? 0,
    search: (query, matching, paging) => search(index, query, matching, paging),
    findNearest: (query, limit) => findNearest(index, query, limit),
  };
}

function findId(index: Ids, by_id: Uint32Array, id: string): number | undefined {
  const compare = idComparer(index, id);
  if (!compare) return undefined;
  let low = 0;
  let high = by_id.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const number = by_id[middle] ?? 0;
    const order = compare(number);
    if (order === 0) return number;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}
