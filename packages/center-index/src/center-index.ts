import type { Position } from '@sendlap/domain/geo.ts';
import type { CenterQuery } from '@sendlap/domain/sport-centers.ts';
import KDBush from 'kdbush';
import { type Columns, type IndexedCenter, idComparer, idOf, isClosed, writeColumns } from './columns.ts';
import { countGroups } from './filter.ts';
import { type Order, orderColumns } from './index-columns.ts';
import { findNearest, search } from './search.ts';
import { positionOf } from './traverse.ts';

/** A center as a search found it: its number in the order by name, and its distance where the query has a position. */
export interface Hit {
  number: number;
  distance_km: number | null;
}

export interface HitPage {
  hits: Hit[];
  /** How many match in all. */
  total: number;
  has_more: boolean;
}

/** Where a page ended. `id` is for a center that may be gone: then it is that id that separates equal distances. */
export interface After extends Hit {
  id?: string;
}

export interface Paging {
  limit: number;
  /** Go on after this one; for lists by distance its distance belongs to it. */
  after?: After | undefined;
}

/**
 * Numbers of the centers whose words and city match, which somebody else found (a database, or texts in memory);
 * undefined where the query has neither. A `NumberSet` is used as it is, anything else is read into one.
 */
export type Matching = Iterable<number> | undefined;

/**
 * All centers of one moment as columns with a spatial index; 51 bytes each. `search` finds what `searchCenters` of
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
  positionOf(number: number): Position;
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

/** The index over columns whose order was computed before, maybe in another thread. */
export function openCenterIndex(columns: Columns, { tree: data, by_id }: Order): CenterIndex {
  const tree = KDBush.from(data);
  const groups = countGroups(columns);
  const closed_places = findClosedPlaces(columns, tree);
  const index = { columns, tree, groups, closed_places };
  const column_bytes = [columns.positions, columns.flags, columns.countries, columns.ids, by_id, closed_places];
  return {
    size: columns.size,
    bytes: column_bytes.reduce((sum, { byteLength }) => sum + byteLength, data.byteLength),
    numberOf: (id) => findId(columns, by_id, id),
    idOf: (number) => idOf(columns, number),
    positionOf: (number) => positionOf(columns, number),
    search: (query, matching, paging) => search(index, query, matching, paging),
    findNearest: (query, limit) => findNearest(index, query, limit),
  };
}

/** Where in the tree the closed centers are, in ascending order; few at any time. */
function findClosedPlaces(columns: Columns, { ids }: KDBush): Uint32Array {
  const places: number[] = [];
  for (let place = 0; place < ids.length; place += 1) if (isClosed(columns, ids[place] ?? 0)) places.push(place);
  return Uint32Array.from(places);
}

function findId(columns: Columns, by_id: Uint32Array, id: string): number | undefined {
  const compare = idComparer(columns, id);
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
