import { type BoundingBox, distanceKm, isInBox, type Position } from '@sendlap/domain/geo.ts';
import type KDBush from 'kdbush';
import { type Bounds, EAST, type Relation, relateToBox, WEST } from './box.ts';
import {
  farthestHaversine,
  haversine,
  haversineOfKm,
  MARGIN_KM,
  nearestHaversine,
  type Origin,
  originAt,
} from './circle.ts';
import type { Columns } from './columns.ts';
import type { Filter } from './filter.ts';
import type { Selection } from './selection.ts';

export interface Traversal {
  columns: Columns;
  tree: KDBush;
  filter: Filter;
  /** Where in the tree closed centers are, in ascending order. */
  closed_places: Uint32Array;
  position: Position | undefined;
  radius_km: number | undefined;
  box: BoundingBox | undefined;
  /** Whether all that match are counted; else parts that hold none of the first are left out. */
  is_counting: boolean;
  /** Takes what is found; by distance where `is_by_distance`. */
  selection: Selection;
  is_by_distance: boolean;
  /** Whether the center comes after the last page. */
  isNext(distance_km: number, number: number): boolean;
}

/**
 * Counts all that match and offers to the selection what may be among its first. Parts of the tree that lie wholly
 * inside are not measured, those wholly outside not looked at.
 */
export function traverse(traversal: Traversal): number {
  const visitor = new Visitor(traversal);
  visitor.visit(0, traversal.tree.ids.length - 1, 0, false, false);
  return visitor.total;
}

export function positionOf({ positions }: Columns, number: number): Position {
  return { longitude: positions[number * 2] ?? 0, latitude: positions[number * 2 + 1] ?? 0 };
}

class Visitor {
  total = 0;
  private readonly t: Traversal;
  /** Of the part that is being visited. */
  private readonly bounds: Bounds = Float64Array.of(-180, -90, 180, 90);
  private readonly origin: Origin | undefined;
  private readonly sure_in: number;
  private readonly sure_out: number;
  private bound_km = Number.POSITIVE_INFINITY;
  private bound = 1;
  private bound_number = Number.POSITIVE_INFINITY;

  constructor(traversal: Traversal) {
    this.t = traversal;
    const { position, radius_km } = traversal;
    this.origin = position && originAt(position);
    this.sure_in = radius_km === undefined || radius_km <= MARGIN_KM ? -1 : haversineOfKm(radius_km - MARGIN_KM);
    this.sure_out = radius_km === undefined ? 1 : haversineOfKm(radius_km + MARGIN_KM);
  }

  /** A part of the tree: places `left` to `right` in it, all within `bounds`. Axis 0: its halves lie west and east, 1: south and north. */
  visit(left: number, right: number, axis: number, inCircle: boolean, inBox: boolean): void {
    const { box, radius_km, is_by_distance, tree } = this.t;
    const within = inBox || box === undefined ? 'inside' : relateToBox(this.bounds, box);
    if (within === 'outside') return;
    const near = this.origin && (is_by_distance || !inCircle) ? nearestHaversine(this.origin, this.bounds) : 0;
    if (near > this.bound && !this.t.is_counting) return;
    const around = inCircle || radius_km === undefined ? 'inside' : this.relateToCircle(near);
    if (around === 'outside') return;
    const isInside = within === 'inside' && around === 'inside';
    if (isInside && !is_by_distance) this.takeAll(left, right);
    else if (isInside && near > this.bound) this.countAll(left, right);
    else if (right - left > tree.nodeSize) this.descend(left, right, axis, around === 'inside', within === 'inside');
    else if (this.origin && within === 'inside' && near > this.bound) this.countRim(this.origin, left, right);
    else for (let at = left; at <= right; at += 1) this.lookAt(at, around === 'inside', within === 'inside');
  }

  private relateToCircle(near: number): Relation {
    if (near > this.sure_out) return 'outside';
    return this.origin && farthestHaversine(this.origin, this.bounds) < this.sure_in ? 'inside' : 'rim';
  }

  private descend(left: number, right: number, axis: number, inCircle: boolean, inBox: boolean): void {
    const middle = (left + right) >> 1;
    const split = this.t.tree.coords[middle * 2 + axis] ?? 0;
    // The nearer half first: what it holds makes the selection strict about the other.
    const isHighFirst =
      this.origin !== undefined && (axis === 0 ? this.origin.longitude : this.origin.latitude) > split;
    if (isHighFirst) this.visitHigh(middle, right, axis, inCircle, inBox);
    this.visitLow(left, middle, axis, inCircle, inBox);
    if (!isHighFirst) this.visitHigh(middle, right, axis, inCircle, inBox);
    this.lookAt(middle, inCircle, inBox);
  }

  private visitLow(left: number, middle: number, axis: number, inCircle: boolean, inBox: boolean): void {
    const { bounds } = this;
    const before = bounds[EAST + axis] ?? 0;
    bounds[EAST + axis] = this.t.tree.coords[middle * 2 + axis] ?? 0;
    this.visit(left, middle - 1, 1 - axis, inCircle, inBox);
    bounds[EAST + axis] = before;
  }

  private visitHigh(middle: number, right: number, axis: number, inCircle: boolean, inBox: boolean): void {
    const { bounds } = this;
    const before = bounds[WEST + axis] ?? 0;
    bounds[WEST + axis] = this.t.tree.coords[middle * 2 + axis] ?? 0;
    this.visit(middle + 1, right, 1 - axis, inCircle, inBox);
    bounds[WEST + axis] = before;
  }

  private countAll(left: number, right: number): void {
    const { filter, tree, closed_places } = this.t;
    if (filter.is_open_only) {
      this.total += right - left + 1 - countWithin(closed_places, left, right);
      return;
    }
    for (let at = left; at <= right; at += 1) if (filter.passes(tree.ids[at] ?? 0)) this.total += 1;
  }

  /** Where none is near enough for the selection, as nearly everywhere on a rim: a loop with little to do. */
  private countRim(origin: Origin, left: number, right: number): void {
    const { filter, tree, closed_places } = this.t;
    const { sure_in, sure_out } = this;
    const { coords, ids } = tree;
    const doAllPass = filter.is_open_only && countWithin(closed_places, left, right) === 0;
    let total = 0;
    for (let at = left; at <= right; at += 1) {
      const h = haversine(origin, coords[at * 2] ?? 0, coords[at * 2 + 1] ?? 0);
      if (h > sure_out || (h > sure_in && !this.isInRadius(ids[at] ?? 0))) continue;
      if (doAllPass || filter.passes(ids[at] ?? 0)) total += 1;
    }
    this.total += total;
  }

  private lookAt(at: number, inCircle: boolean, inBox: boolean): void {
    const { tree, box, is_by_distance, columns } = this.t;
    let h = 0;
    if (this.origin && (is_by_distance || !inCircle)) {
      h = haversine(this.origin, tree.coords[at * 2] ?? 0, tree.coords[at * 2 + 1] ?? 0);
      if (!inCircle && h > this.sure_out) return;
      if (h > this.bound && !this.t.is_counting) return;
    }
    const number = tree.ids[at] ?? 0;
    if (!this.t.filter.passes(number)) return;
    if (!inBox && box && !isInBox(positionOf(columns, number), box)) return;
    if (!inCircle && h > this.sure_in && !this.isInRadius(number)) return;
    this.total += 1;
    if (!is_by_distance) this.offerByName(number);
    else if (h <= this.bound) this.offerByDistance(number);
  }

  private isInRadius(number: number): boolean {
    const { position, radius_km, columns } = this.t;
    return position === undefined || distanceKm(position, positionOf(columns, number)) <= (radius_km ?? 0);
  }

  /** For lists by name: no part of the tree has lower numbers than another, so each is looked at. */
  private takeAll(left: number, right: number): void {
    const { filter, tree } = this.t;
    for (let at = left; at <= right; at += 1) {
      const number = tree.ids[at] ?? 0;
      if (!filter.passes(number)) continue;
      this.total += 1;
      this.offerByName(number);
    }
  }

  private offerByDistance(number: number): void {
    const { position, columns, selection, isNext } = this.t;
    const distance_km = position ? distanceKm(position, positionOf(columns, number)) : 0;
    if (!isNext(distance_km, number)) return;
    selection.offer(distance_km, number);
    if (selection.bound_km === this.bound_km) return;
    this.bound_km = selection.bound_km;
    this.bound = Number.isFinite(this.bound_km) ? haversineOfKm(this.bound_km + MARGIN_KM) : 1;
  }

  private offerByName(number: number): void {
    if (number >= this.bound_number || !this.t.isNext(0, number)) return;
    this.t.selection.offer(0, number);
    this.bound_number = this.t.selection.bound_number;
  }
}

/** How many of the ascending places lie from `left` to `right`. */
function countWithin(places: Uint32Array, left: number, right: number): number {
  return places.length === 0 ? 0 : countBelow(places, right + 1) - countBelow(places, left);
}

function countBelow(places: Uint32Array, end: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] ?? 0) < end) low = middle + 1;
    else high = middle;
  }
  return low;
}
