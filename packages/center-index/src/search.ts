import { type BoundingBox, boundingBox, distanceKm, isInBox, type Position } from '@sendlap/domain/geo.ts';
import { MAX_TOTAL } from '@sendlap/domain/sport-centers.ts';
import type KDBush from 'kdbush';
import type { Filter, Hit, HitPage, Matching, Paging } from './center-index.ts';

/** All centers, by number. */
export interface Columns {
  ids: readonly string[];
  /** Longitude and latitude, one after the other. */
  positions: Float64Array;
  flags: Uint8Array;
  countries: Uint16Array;
  tree: KDBush;
}

/** Up to so many matching centers are looked at one by one rather than through the tree. */
const FEW = 2000;
const WORLD: BoundingBox = { west: -180, south: -90, east: 180, north: 90 };
/** Widens the box around the nearest found so far by more than any rounding. */
const MARGIN_KM = 0.005;

export function searchColumns(
  columns: Columns,
  filter: Filter,
  matching: Matching | undefined,
  paging: Paging,
): HitPage {
  const search = new Search(columns, filter, matching, paging);
  search.run();
  const { count, count_to, found } = search;
  return {
    hits: found.slice(0, paging.limit),
    total: Math.min(count, count_to),
    total_is_lower_bound: count > count_to,
    has_more: found.length > paging.limit,
  };
}

/** One search: counts what matches up to `count_to` and collects the first `limit` + 1 after the last page. */
class Search {
  readonly count_to: number;
  readonly found: Hit[] = [];
  count = 0;
  private readonly columns: Columns;
  private readonly filter: Filter;
  private readonly matching: Matching | undefined;
  private readonly paging: Paging;
  private readonly origin: Position | undefined;
  private readonly radius_km: number;
  private readonly is_by_distance: boolean;
  /** What of the tree is still of interest. */
  private box = WORLD;
  private narrowed_km = Number.POSITIVE_INFINITY;

  constructor(columns: Columns, filter: Filter, matching: Matching | undefined, paging: Paging) {
    const { latitude, longitude, radius_km = Number.POSITIVE_INFINITY, sort } = filter;
    this.columns = columns;
    this.filter = filter;
    this.matching = matching;
    this.paging = paging;
    this.count_to = paging.count_to ?? MAX_TOTAL;
    this.origin = latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
    this.radius_km = this.origin ? radius_km : Number.POSITIVE_INFINITY;
    this.is_by_distance = this.origin !== undefined && sort !== 'name';
    if (this.is_by_distance && paging.after?.distance_km === null) {
      throw new RangeError('a page of a list by distance continues after a distance');
    }
  }

  run(): void {
    const { matching, filter, origin, radius_km } = this;
    const area =
      filter.bbox ?? (origin && radius_km < Number.POSITIVE_INFINITY ? around(origin, radius_km) : undefined);
    if (matching && matching.size <= FEW) for (const number of matching) this.look(number);
    else if (area || this.is_by_distance) this.searchTree(area ?? WORLD);
    else this.walkByName();
  }

  private searchTree(area: BoundingBox): void {
    for (const part of splitAtAntimeridian(area)) {
      this.box = part;
      this.narrowed_km = Number.POSITIVE_INFINITY;
      this.descend(0, this.columns.ids.length - 1, 0);
    }
  }

  /** Goes through a part of kdbush's tree, the side of the position first: its centers bound the rest. */
  private descend(left: number, right: number, axis: 0 | 1): void {
    const { ids, coords, nodeSize } = this.columns.tree;
    if (right - left <= nodeSize) {
      for (let at = left; at <= right; at += 1) this.look(ids[at] ?? 0);
      return;
    }
    this.narrow();
    const middle = (left + right) >> 1;
    const split = coords[middle * 2 + axis] ?? 0;
    const isHighFirst =
      this.origin !== undefined && (axis === 0 ? this.origin.longitude : this.origin.latitude) > split;
    if (isHighFirst && this.isHighWanted(split, axis)) this.descend(middle + 1, right, axis === 0 ? 1 : 0);
    if ((axis === 0 ? this.box.west : this.box.south) <= split) this.descend(left, middle - 1, axis === 0 ? 1 : 0);
    if (!isHighFirst && this.isHighWanted(split, axis)) this.descend(middle + 1, right, axis === 0 ? 1 : 0);
    this.look(ids[middle] ?? 0);
  }

  private isHighWanted(split: number, axis: 0 | 1): boolean {
    return (axis === 0 ? this.box.east : this.box.north) >= split;
  }

  /** Once enough are counted, only what is nearer than the last of the found is of interest. */
  private narrow(): void {
    const last_km = this.lastKm();
    if (!this.origin || this.count <= this.count_to || last_km >= this.narrowed_km) return;
    this.narrowed_km = last_km;
    const { west, south, east, north } = around(this.origin, last_km);
    const { box } = this;
    this.box = { ...box, south: Math.max(box.south, south), north: Math.min(box.north, north) };
    if (west > east) return;
    this.box.west = Math.max(box.west, west);
    this.box.east = Math.min(box.east, east);
  }

  /** Distance of the last of the found, Infinity as long as there is room for more. */
  private lastKm(): number {
    if (!this.is_by_distance || this.found.length <= this.paging.limit) return Number.POSITIVE_INFINITY;
    return this.found.at(-1)?.distance_km ?? Number.POSITIVE_INFINITY;
  }

  /** The numbers are the order by name: the first that pass are the page. */
  private walkByName(): void {
    const { found, count_to, paging } = this;
    const size = this.columns.ids.length;
    let number = 0;
    for (; number < size && this.count <= count_to; number += 1) this.look(number);
    number = Math.max(number, (paging.after?.number ?? -1) + 1);
    for (; number < size && found.length <= paging.limit; number += 1) this.look(number);
  }

  private look(number: number): void {
    const { origin, columns, is_by_distance, box } = this;
    const latitude = columns.positions[number * 2 + 1] ?? 0;
    const longitude = columns.positions[number * 2] ?? 0;
    if (latitude < box.south || latitude > box.north || longitude < box.west || longitude > box.east) return;
    if (!this.passes(number)) return;
    const at = { latitude, longitude };
    if (this.filter.bbox && !isInBox(at, this.filter.bbox)) return;
    const distance_km = origin ? distanceKm(origin, at) : null;
    if (distance_km !== null && distance_km > this.radius_km) return;
    this.count += 1;
    if (is_by_distance && (distance_km ?? 0) > this.lastKm()) return;
    this.offer({ number, distance_km });
  }

  private passes(number: number): boolean {
    const { flags, countries } = this.columns;
    const { mask, flags: wanted, country_number } = this.filter;
    if (((flags[number] ?? 0) & mask) !== wanted) return false;
    if (country_number !== undefined && countries[number] !== country_number) return false;
    return this.matching === undefined || this.matching.has(number);
  }

  private offer(hit: Hit): void {
    const { found, paging } = this;
    if (paging.after && this.compare(hit, paging.after) <= 0) return;
    const last = found.at(-1);
    if (last && found.length > paging.limit) {
      if (this.compare(hit, last) > 0) return;
      found.pop();
    }
    let at = found.length;
    while (at > 0 && this.compare(hit, found[at - 1] ?? hit) < 0) at -= 1;
    found.splice(at, 0, hit);
  }

  private compare(a: Hit, b: Hit & { id?: string }): number {
    if (!this.is_by_distance) return a.number - b.number;
    const difference = (a.distance_km ?? 0) - (b.distance_km ?? 0);
    if (difference !== 0) return difference;
    const { ids } = this.columns;
    const [a_id = '', b_id = ''] = [ids[a.number], b.id ?? ids[b.number]];
    return a_id < b_id ? -1 : Number(a_id > b_id);
  }
}

function around(origin: Position, radius_km: number): BoundingBox {
  return boundingBox(origin, radius_km + MARGIN_KM);
}

function splitAtAntimeridian(box: BoundingBox): BoundingBox[] {
  return box.west <= box.east
    ? [box]
    : [
        { ...box, east: 180 },
        { ...box, west: -180 },
      ];
}
