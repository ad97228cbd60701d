import { distanceKm, isInBox, type Position } from '@sendlap/domain/geo.ts';
import type { CenterQuery } from '@sendlap/domain/sport-centers.ts';
import type KDBush from 'kdbush';
import type { After, Hit, HitPage, Matching, Paging } from './center-index.ts';
import { type Columns, compareIds, idComparer } from './columns.ts';
import { type Filter, filterOf } from './filter.ts';
import { type NumberSet, toNumberSet } from './number-set.ts';
import { type Entry, selectFirst } from './selection.ts';
import { positionOf, type Traversal, traverse } from './traverse.ts';

interface Index {
  columns: Columns;
  tree: KDBush;
  groups: Uint32Array;
  closed_places: Uint32Array;
}

/** Up to so many matching centers are looked at one by one rather than through the tree. */
const FEW = 2000;

/** One page of what matches, and how many match in all. */
export function search(index: Index, query: CenterQuery, matching: Matching, paging: Paging): HitPage {
  const numbers = matching === undefined ? undefined : toNumberSet(matching, index.columns.size);
  const traversal = traversalFor(index, query, numbers, paging);
  const isAnywhere = traversal.box === undefined && traversal.radius_km === undefined;
  const total = isAnywhere ? searchAnywhere(traversal, numbers, paging.after) : searchThere(traversal, numbers);
  const found = traversal.selection.drain();
  return { hits: toHits(traversal, found.slice(0, paging.limit)), total, has_more: found.length > paging.limit };
}

/** The nearest that match: what lies farther than they is not counted, so that it need not be looked at. */
export function findNearest(index: Index, query: CenterQuery & Position, limit: number): Hit[] {
  const traversal = {
    ...traversalFor(index, { ...query, sort: 'distance' }, undefined, { limit }),
    is_counting: false,
  };
  traverse(traversal);
  return toHits(traversal, traversal.selection.drain().slice(0, limit));
}

function traversalFor(
  index: Index,
  query: CenterQuery,
  numbers: NumberSet | undefined,
  { limit, after }: Paging,
): Traversal {
  const { columns } = index;
  const { latitude, longitude, bbox: box } = query;
  const position = latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
  const is_by_distance = position !== undefined && query.sort !== 'name';
  return {
    ...index,
    filter: filterOf(columns, index.groups, query, numbers),
    position,
    radius_km: position && query.radius_km,
    box,
    is_counting: true,
    selection: selectFirst(limit + 1, is_by_distance ? (a, b) => compareIds(columns, a, b) : (a, b) => a - b),
    is_by_distance,
    isNext: isNextAfter(columns, after, is_by_distance),
  };
}

function toHits({ columns, position, is_by_distance }: Traversal, found: readonly Entry[]): Hit[] {
  return found.map(({ number, distance_km }) => ({
    number,
    distance_km: position ? distanceTo(columns, position, number, is_by_distance ? distance_km : undefined) : null,
  }));
}

function distanceTo(columns: Columns, from: Position, number: number, known: number | undefined): number {
  return known ?? distanceKm(from, positionOf(columns, number));
}

function searchThere(traversal: Traversal, numbers: NumberSet | undefined): number {
  return numbers && numbers.size <= FEW ? lookAtEach(traversal, numbers) : traverse(traversal);
}

function searchAnywhere(t: Traversal, numbers: NumberSet | undefined, after: After | undefined): number {
  if (numbers && numbers.size <= FEW) return lookAtEach(t, numbers);
  const total = t.filter.countAll() ?? countPassing(t.filter.passes, numbers ?? []);
  if (t.is_by_distance) traverse({ ...t, is_counting: false });
  else walkByName(t, (after?.number ?? -1) + 1);
  return total;
}

function countPassing(passes: Filter['passes'], numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) if (passes(number)) total += 1;
  return total;
}

/** The numbers are the order by name: the first that pass are the page. */
function walkByName({ columns, filter, selection }: Traversal, from: number): void {
  for (let number = from; number < columns.size && selection.has_room; number += 1) {
    if (filter.passes(number)) selection.offer(0, number);
  }
}

function lookAtEach(t: Traversal, numbers: Iterable<number>): number {
  const { columns, position, radius_km, box } = t;
  let total = 0;
  for (const number of numbers) {
    if (!t.filter.passes(number)) continue;
    const at = positionOf(columns, number);
    if (box && !isInBox(at, box)) continue;
    const distance_km = position ? distanceKm(position, at) : 0;
    if (radius_km !== undefined && distance_km > radius_km) continue;
    total += 1;
    const rank = t.is_by_distance ? distance_km : 0;
    if (t.isNext(rank, number)) t.selection.offer(rank, number);
  }
  return total;
}

function isNextAfter(columns: Columns, after: After | undefined, is_by_distance: boolean): Traversal['isNext'] {
  if (!after) return () => true;
  const { number: last, distance_km: last_km } = after;
  if (!is_by_distance) return (_, number) => number > last;
  if (last_km === null) throw new RangeError('a page of a list by distance goes on after a distance');
  const compareToId = after.id === undefined ? undefined : idComparer(columns, after.id);
  const orderOf = compareToId ?? ((number: number) => compareIds(columns, number, last));
  return (distance_km, number) => (distance_km === last_km ? orderOf(number) > 0 : distance_km > last_km);
}
