import { distanceKm, isInBox, type Position } from '@sendlap/domain/geo.ts';
import type { CenterQuery } from '@sendlap/domain/sport-centers.ts';
import type { After, Hit, HitPage, Matching, Paging } from './center-index.ts';
import { compareIds, type Ids, idComparer } from './columns.ts';
import type { FilterFor } from './filter.ts';
import { toNumberSet } from './number-set.ts';
import { type Entry, Selection } from './selection.ts';
import { positionAt, type Traversal, type Tree, traverse } from './traverse.ts';

/** What searches go through. */
export interface Searched extends Ids {
  tree: Tree;
  /** The place of each number. */
  places: Uint32Array;
  filterFor: FilterFor;
}

/** Up to so many matching centers are looked at one by one rather than through the tree. */
const FEW = 2000;

/** One page of what matches, and how many match in all. */
export function search(index: Searched, query: CenterQuery, matching: Matching, paging: Paging): HitPage {
  const numbers = matching === undefined ? undefined : toNumberSet(matching, index.places.length);
  const few = numbers !== undefined && numbers.size <= FEW ? numbers : undefined;
  const traversal = traversalFor(index, query, index.filterFor(query, few ? undefined : numbers), paging);
  const total = few ? lookAtEach(index, traversal, few) : searchAll(index, traversal, paging.after);
  const found = traversal.selection.drain();
  return { hits: toHits(index, traversal, found.slice(0, paging.limit)), total, has_more: found.length > paging.limit };
}

/** The nearest that match: what lies farther than they is not counted, so that it need not be looked at. */
export function findNearest(index: Searched, query: CenterQuery & Position, limit: number): Hit[] {
  const traversal = traversalFor(index, { ...query, sort: 'distance' }, index.filterFor(query), { limit });
  traverse({ ...traversal, is_counting: false });
  return toHits(index, traversal, traversal.selection.drain().slice(0, limit));
}

function traversalFor(
  index: Searched,
  query: CenterQuery,
  filter: Traversal['filter'],
  { limit, after }: Paging,
): Traversal {
  const { tree } = index;
  const { ids } = tree;
  const { latitude, longitude, bbox: box } = query;
  const position = latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
  const is_by_distance = position !== undefined && query.sort !== 'name';
  const compareNumbers = (a: number, b: number) => a - b;
  const comparePlaces = (a: number, b: number) => compareIds(index, ids[a] ?? 0, ids[b] ?? 0);
  return {
    tree,
    filter,
    position,
    radius_km: position && query.radius_km,
    box,
    is_counting: true,
    selection: new Selection(limit + 1, is_by_distance ? comparePlaces : compareNumbers),
    is_by_distance,
    after_km: (is_by_distance && after?.distance_km) || 0,
    isNext: isNextAfter(index, after, is_by_distance),
  };
}

function toHits({ tree, places }: Searched, { position, is_by_distance }: Traversal, found: readonly Entry[]): Hit[] {
  return found.map(({ distance_km, one }) => {
    if (is_by_distance) return { number: tree.ids[one] ?? 0, place: one, distance_km };
    const place = places[one] ?? 0;
    return { number: one, place, distance_km: position ? distanceKm(position, positionAt(tree, place)) : null };
  });
}

/** Counts what matches and fills the selection. */
function searchAll(index: Searched, t: Traversal, after: After | undefined): number {
  if (t.box !== undefined || t.radius_km !== undefined) return traverse(t);
  if (t.is_by_distance) traverse({ ...t, is_counting: false });
  else walkByName(index, t, (after?.number ?? -1) + 1);
  return t.filter.size;
}

/** The numbers are the order by name: the first that pass are the page. */
function walkByName({ places }: Searched, { filter, selection }: Traversal, from: number): void {
  for (let number = from; number < places.length && selection.has_room; number += 1) {
    if (filter.has(places[number] ?? 0)) selection.offer(0, number);
  }
}

function lookAtEach({ places }: Searched, t: Traversal, numbers: Iterable<number>): number {
  const { tree, position, radius_km, box } = t;
  let total = 0;
  for (const number of numbers) {
    const place = places[number] ?? 0;
    if (!t.filter.has(place)) continue;
    const at = positionAt(tree, place);
    if (box && !isInBox(at, box)) continue;
    const distance_km = position ? distanceKm(position, at) : 0;
    if (radius_km !== undefined && distance_km > radius_km) continue;
    total += 1;
    const [rank, one] = t.is_by_distance ? [distance_km, place] : [0, number];
    if (t.isNext(rank, one)) t.selection.offer(rank, one);
  }
  return total;
}

function isNextAfter(index: Searched, after: After | undefined, is_by_distance: boolean): Traversal['isNext'] {
  if (!after) return () => true;
  const { number: last, distance_km: last_km } = after;
  if (!is_by_distance) return (_, number) => number > last;
  if (last_km === null) throw new RangeError('a page of a list by distance goes on after a distance');
  const compareToId = after.id === undefined ? undefined : idComparer(index, after.id);
  const orderOf = compareToId ?? ((number: number) => compareIds(index, number, last));
  const { ids } = index.tree;
  return (distance_km, place) => (distance_km === last_km ? orderOf(ids[place] ?? 0) > 0 : distance_km > last_km);
}
