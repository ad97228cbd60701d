import {
  type BoundingBox,
  boundingBox,
  distanceKm,
  EARTH_RADIUS_KM,
  isInBox,
  type Position,
} from '@sendlap/domain/geo.ts';
import { MAX_TOTAL } from '@sendlap/domain/sport-centers.ts';
import type KDBush from 'kdbush';
import type { CenterFilter, Hit, HitPage, Paging, TextMatches } from './center-index.ts';
import type { IdColumn } from './id-column.ts';

/** All centers, in columns by number. */
export interface Columns {
  ids: IdColumn;
  /** Longitude and latitude, alternating. */
  positions: Float64Array;
  flags: Uint8Array;
  countries: Uint16Array;
  tree: KDBush;
}

/** Up to this many matching centers are checked one by one instead of through the tree. */
const MAX_LINEAR_SCAN = 2000;
const WORLD: BoundingBox = { west: -180, south: -90, east: 180, north: 90 };
/** Above any rounding error of a haversine: `distanceKm` decides for centers this close to a limit. */
const MARGIN_KM = 0.005;
const RADIANS = Math.PI / 180;

export function searchColumns(
  columns: Columns,
  filter: CenterFilter,
  matching: TextMatches | undefined,
  paging: Paging,
): HitPage {
  const search = new Search(columns, filter, matching, paging);
  search.run();
  const { count, count_limit, found } = search;
  return {
    hits: found.slice(0, paging.limit),
    total: Math.min(count, count_limit),
    total_is_lower_bound: count > count_limit,
    has_more: found.length > paging.limit,
  };
}

/** One search: counts matches up to `count_limit` and collects the first `limit` + 1 after the previous page. */
class Search {
  readonly count_limit: number;
  readonly found: Hit[] = [];
  count = 0;
  private readonly columns: Columns;
  private readonly filter: CenterFilter;
  private readonly matching: TextMatches | undefined;
  private readonly paging: Paging;
  private readonly origin: Position | undefined;
  private readonly origin_cosine: number;
  private readonly radius_km: number;
  /**
   * Haversines are compared instead of distances: they are monotonic in them and cost half. Limits for "certainly
   * within the radius" and "certainly beyond it".
   */
  private readonly certainly_inside: number;
  private readonly certainly_outside: number;
  /** Below this a center is certainly before the end of the previous page. */
  private readonly certainly_before_page: number;
  /** Haversine of the last found center. */
  private last_haversine = Number.POSITIVE_INFINITY;
  private readonly is_by_distance: boolean;
  /** The part of the tree that may still contain results. */
  private box = WORLD;
  private box_radius_km = Number.POSITIVE_INFINITY;

  constructor(columns: Columns, filter: CenterFilter, matching: TextMatches | undefined, paging: Paging) {
    const { latitude, longitude, radius_km = Number.POSITIVE_INFINITY, sort } = filter;
    this.columns = columns;
    this.filter = filter;
    this.matching = matching;
    this.paging = paging;
    this.count_limit = paging.count_limit ?? MAX_TOTAL;
    this.origin = latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
    this.radius_km = this.origin ? radius_km : Number.POSITIVE_INFINITY;
    this.origin_cosine = Math.cos((latitude ?? 0) * RADIANS);
    this.certainly_inside = haversineOfKm(this.radius_km - MARGIN_KM);
    this.certainly_outside = haversineOfKm(this.radius_km + MARGIN_KM);
    this.is_by_distance = this.origin !== undefined && sort !== 'name';
    this.certainly_before_page = haversineOfKm((paging.after?.distance_km ?? 0) - MARGIN_KM);
    if (this.is_by_distance && paging.after?.distance_km === null) {
      throw new RangeError('a page of a list by distance continues after a distance');
    }
  }

  run(): void {
    const { matching, filter, origin, radius_km } = this;
    // The country has no centers.
    if (filter.country_number === -1) return;
    const area =
      filter.bbox ?? (origin && radius_km < Number.POSITIVE_INFINITY ? boxAround(origin, radius_km) : undefined);
    if (matching && matching.size <= MAX_LINEAR_SCAN) for (const number of matching) this.visitNumber(number);
    else if (area || this.is_by_distance) this.searchTree(area ?? WORLD);
    else this.walkByName();
  }

  private searchTree(area: BoundingBox): void {
    for (const part of splitAtAntimeridian(area)) {
      this.box = part;
      this.box_radius_km = Number.POSITIVE_INFINITY;
      this.visitSubtree(0, this.columns.ids.size - 1, 0);
    }
  }

  /** Visits a part of kdbush's tree, the side of the position first: its centers bound the rest. */
  private visitSubtree(left: number, right: number, axis: 0 | 1): void {
    const { ids, coords, nodeSize } = this.columns.tree;
    if (right - left <= nodeSize) {
      for (let at = left; at <= right; at += 1) this.visit(ids[at] ?? 0, coords[at * 2] ?? 0, coords[at * 2 + 1] ?? 0);
      return;
    }
    this.narrowBox();
    const middle = (left + right) >> 1;
    const split = coords[middle * 2 + axis] ?? 0;
    const isHighSideFirst =
      this.origin !== undefined && (axis === 0 ? this.origin.longitude : this.origin.latitude) > split;
    if (isHighSideFirst && this.reachesHighSide(split, axis)) this.visitSubtree(middle + 1, right, axis === 0 ? 1 : 0);
    if ((axis === 0 ? this.box.west : this.box.south) <= split) this.visitSubtree(left, middle - 1, axis === 0 ? 1 : 0);
    if (!isHighSideFirst && this.reachesHighSide(split, axis)) this.visitSubtree(middle + 1, right, axis === 0 ? 1 : 0);
    this.visit(ids[middle] ?? 0, coords[middle * 2] ?? 0, coords[middle * 2 + 1] ?? 0);
  }

  private reachesHighSide(split: number, axis: 0 | 1): boolean {
    return (axis === 0 ? this.box.east : this.box.north) >= split;
  }

  /** Once enough are counted, only centers nearer than the last found one matter. */
  private narrowBox(): void {
    const last_km = this.lastDistanceKm();
    if (!this.origin || this.count <= this.count_limit || last_km >= this.box_radius_km) return;
    this.box_radius_km = last_km;
    const { west, south, east, north } = boxAround(this.origin, last_km);
    const { box } = this;
    this.box = { ...box, south: Math.max(box.south, south), north: Math.min(box.north, north) };
    if (west > east) return;
    this.box.west = Math.max(box.west, west);
    this.box.east = Math.min(box.east, east);
  }

  /** Returns the distance of the last found center; Infinity while the page has room. */
  private lastDistanceKm(): number {
    if (!this.is_by_distance || this.found.length <= this.paging.limit) return Number.POSITIVE_INFINITY;
    return this.found.at(-1)?.distance_km ?? Number.POSITIVE_INFINITY;
  }

  private lastNumber(): number {
    const { found, paging } = this;
    return found.length > paging.limit ? (found.at(-1)?.number ?? 0) : Number.POSITIVE_INFINITY;
  }

  /** The numbers are in the order by name, so the first matches are the page. */
  private walkByName(): void {
    const { found, count_limit, paging } = this;
    const size = this.columns.ids.size;
    let number = 0;
    for (; number < size && this.count <= count_limit; number += 1) this.visitNumber(number);
    number = Math.max(number, (paging.after?.number ?? -1) + 1);
    for (; number < size && found.length <= paging.limit; number += 1) this.visitNumber(number);
  }

  private visitNumber(number: number): void {
    const { positions } = this.columns;
    this.visit(number, positions[number * 2] ?? 0, positions[number * 2 + 1] ?? 0);
  }

  private visit(number: number, longitude: number, latitude: number): void {
    const { origin, box, filter } = this;
    if (latitude < box.south || latitude > box.north || longitude < box.west || longitude > box.east) return;
    if (!this.passesFilter(number)) return;
    const at = { latitude, longitude };
    if (filter.bbox && !isInBox(at, filter.bbox)) return;
    const haversine = origin ? this.haversine(origin, longitude, latitude) : 0;
    if (haversine > this.certainly_outside) return;
    if (haversine > this.certainly_inside && origin && distanceKm(origin, at) > this.radius_km) return;
    this.count += 1;
    if (this.is_by_distance && haversine < this.certainly_before_page) return;
    if (this.is_by_distance ? haversine <= this.last_haversine : number <= this.lastNumber())
      this.insertHit(number, at);
  }

  private haversine({ latitude, longitude }: Position, east: number, north: number): number {
    const north_sine = Math.sin(((north - latitude) * RADIANS) / 2);
    const east_sine = Math.sin(((east - longitude) * RADIANS) / 2);
    return north_sine * north_sine + this.origin_cosine * Math.cos(north * RADIANS) * east_sine * east_sine;
  }

  private passesFilter(number: number): boolean {
    const { flags, countries } = this.columns;
    const { mask, flags: wanted, country_number } = this.filter;
    if (((flags[number] ?? 0) & mask) !== wanted) return false;
    if (country_number !== undefined && countries[number] !== country_number) return false;
    return this.matching === undefined || this.matching.has(number);
  }

  private insertHit(number: number, position: Position): void {
    const { found, paging, origin } = this;
    const hit = { number, distance_km: origin ? distanceKm(origin, position) : null };
    if (paging.after && this.compare(hit, paging.after) <= 0) return;
    let at = found.length;
    while (at > 0 && this.compare(hit, found[at - 1] ?? hit) < 0) at -= 1;
    found.splice(at, 0, hit);
    if (found.length > paging.limit + 1) found.pop();
    this.last_haversine = haversineOfKm(this.lastDistanceKm() + MARGIN_KM);
  }

  private compare(a: Hit, b: Hit & { id?: string }): number {
    if (!this.is_by_distance) return a.number - b.number;
    const difference = (a.distance_km ?? 0) - (b.distance_km ?? 0);
    if (difference !== 0) return difference;
    const { ids } = this.columns;
    const [a_id, b_id] = [ids.at(a.number), b.id ?? ids.at(b.number)];
    return a_id < b_id ? -1 : Number(a_id > b_id);
  }
}

/** Returns Infinity from half the earth's circumference on, regardless of rounding. */
function haversineOfKm(distance_km: number): number {
  const angle = distance_km / EARTH_RADIUS_KM;
  if (angle <= 0) return -1;
  return angle < Math.PI ? Math.sin(angle / 2) ** 2 : Number.POSITIVE_INFINITY;
}

function boxAround(origin: Position, radius_km: number): BoundingBox {
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
