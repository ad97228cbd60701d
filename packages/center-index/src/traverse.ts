import { type BoundingBox, distanceKm, isInBox, type Position } from '@sendlap/domain/geo.ts';
import { type Bounds, EAST, relateToBox, WEST } from './box.ts';
import {
  farthestHaversine,
  flatHaversine,
  haversine,
  haversineOfKm,
  isFlat,
  isLevel,
  MARGIN_KM,
  nearestHaversine,
  type Origin,
  originAt,
} from './circle.ts';
import type { PlaceSet } from './place-set.ts';
import type { Selection } from './selection.ts';

/** The tree as kdbush lays it out: by place, the number of the center, and its longitude and latitude. */
export interface Tree {
  readonly ids: Uint16Array | Uint32Array;
  readonly coords: Float64Array;
}

export interface Traversal {
  tree: Tree;
  /** What passes every filter that is not about the place. */
  filter: PlaceSet;
  position: Position | undefined;
  radius_km: number | undefined;
  box: BoundingBox | undefined;
  /** Whether all that match are counted; else parts that hold none of the first are left out. */
  is_counting: boolean;
  /** Takes what is found: places where `is_by_distance`, else numbers. */
  selection: Selection;
  is_by_distance: boolean;
  /** Where the last page ended: of what is nearer, none is for the selection. 0 for the first page, and for lists by name. */
  after_km: number;
  /** Whether what the selection takes comes after the last page. */
  isNext(distance_km: number, one: number): boolean;
}

/**
 * Counts all that match and offers to the selection what may be among its first. Parts of the tree that lie wholly
 * inside are counted without a look at each, those wholly outside not looked at.
 */
export function traverse(traversal: Traversal): number {
  const visitor = new Visitor(traversal);
  const { tree, radius_km, box } = traversal;
  visitor.visit(0, tree.ids.length - 1, 0, radius_km === undefined, box === undefined);
  return visitor.total;
}

export function positionAt({ coords }: Tree, place: number): Position {
  return { longitude: coords[place * 2] ?? 0, latitude: coords[place * 2 + 1] ?? 0 };
}

/** Parts of up to so many are gone through one by one: more steps in one go cost less than a few elsewhere. */
const LEAF_SIZE = 64;
/** Where fewer than one of so many pass, parts are asked first whether any does in them. */
const SPARSE = 8;
const WORLD = [-180, -90, 180, 90];

class Visitor {
  total = 0;
  private readonly t: Traversal;
  private readonly coords: Float64Array;
  /** Of the part that is being visited. */
  private readonly bounds: Bounds = new Float64Array(4);
  private readonly origin: Origin | undefined;
  private readonly is_flat: boolean;
  private readonly is_sparse: boolean;
  private readonly sure_in: number;
  private readonly sure_out: number;
  private readonly floor: number;
  private bound_km = Number.POSITIVE_INFINITY;
  private bound = Number.POSITIVE_INFINITY;
  private bound_number = Number.POSITIVE_INFINITY;

  constructor(traversal: Traversal) {
    this.t = traversal;
    this.coords = traversal.tree.coords;
    this.is_sparse = traversal.filter.size < traversal.tree.ids.length / SPARSE;
    const { position, radius_km = Number.POSITIVE_INFINITY, after_km } = traversal;
    this.origin = position && originAt(position);
    this.is_flat = this.origin !== undefined && isFlat(this.origin, radius_km);
    this.sure_in = radius_km <= MARGIN_KM ? -1 : haversineOfKm(radius_km - MARGIN_KM);
    this.sure_out = haversineOfKm(radius_km + MARGIN_KM);
    this.floor = after_km <= MARGIN_KM ? 0 : haversineOfKm(after_km - MARGIN_KM);
    this.bounds.set(WORLD);
  }

  /** A part of the tree: places `left` to `right` in it, all within `bounds`. Axis 0: its halves lie west and east, 1: south and north. */
  visit(left: number, right: number, axis: number, inCircle: boolean, inBox: boolean): void {
    const { origin, bounds, t } = this;
    if (this.is_sparse && t.filter.countWithin(left, right) === 0) return;
    const within = inBox || t.box === undefined ? 'inside' : relateToBox(bounds, t.box);
    if (within === 'outside') return;
    const near = origin && (t.is_by_distance || !inCircle) ? nearestHaversine(origin, bounds) : 0;
    if (near > this.sure_out || (near > this.bound && !t.is_counting)) return;
    // Where nothing is counted, nothing is gained by knowing that all are inside.
    const isFarWanted = this.floor > 0 || (t.is_counting && !inCircle);
    const far = origin && isFarWanted ? farthestHaversine(origin, bounds) : Number.POSITIVE_INFINITY;
    const isAround = inCircle || far < this.sure_in;
    const isInside = within === 'inside' && isAround;
    const isForNone = near > this.bound || far < this.floor;
    if (isForNone && !t.is_counting) return;
    if (isInside && !t.is_by_distance) this.takeAll(left, right);
    else if (isInside && isForNone) this.total += t.filter.countWithin(left, right);
    else if (right - left > LEAF_SIZE) this.descend(left, right, axis, isAround, within === 'inside');
    else if (origin && within === 'inside' && isForNone) this.countRim(origin, left, right);
    else for (let place = left; place <= right; place += 1) this.lookAt(place, isAround, within === 'inside');
  }

  private descend(left: number, right: number, axis: number, inCircle: boolean, inBox: boolean): void {
    const middle = (left + right) >> 1;
    const split = this.coords[middle * 2 + axis] ?? 0;
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
    bounds[EAST + axis] = this.coords[middle * 2 + axis] ?? 0;
    this.visit(left, middle - 1, 1 - axis, inCircle, inBox);
    bounds[EAST + axis] = before;
  }

  private visitHigh(middle: number, right: number, axis: number, inCircle: boolean, inBox: boolean): void {
    const { bounds } = this;
    const before = bounds[WEST + axis] ?? 0;
    bounds[WEST + axis] = this.coords[middle * 2 + axis] ?? 0;
    this.visit(middle + 1, right, 1 - axis, inCircle, inBox);
    bounds[WEST + axis] = before;
  }

  /** Where none is for the selection, as nearly everywhere on a rim: a loop with little to do. */
  private countRim(origin: Origin, left: number, right: number): void {
    const { filter } = this.t;
    const { coords, sure_in, sure_out } = this;
    const isLevelPart = this.is_flat && isLevel(origin, this.bounds);
    let total = 0;
    for (let place = left; place <= right; place += 1) {
      const longitude = coords[place * 2] ?? 0;
      const latitude = coords[place * 2 + 1] ?? 0;
      const h = isLevelPart ? flatHaversine(origin, longitude, latitude) : haversine(origin, longitude, latitude);
      if (h > sure_out || (h > sure_in && !this.isInRadius(place))) continue;
      if (filter.has(place)) total += 1;
    }
    this.total += total;
  }

  private lookAt(place: number, inCircle: boolean, inBox: boolean): void {
    const { tree, box, is_by_distance, is_counting, filter } = this.t;
    let h = 0;
    if (this.origin && (is_by_distance || !inCircle)) {
      h = haversine(this.origin, this.coords[place * 2] ?? 0, this.coords[place * 2 + 1] ?? 0);
      if (!inCircle && h > this.sure_out) return;
      if ((h > this.bound || h < this.floor) && !is_counting) return;
    }
    if (!filter.has(place)) return;
    if (!inBox && box && !isInBox(positionAt(tree, place), box)) return;
    if (!inCircle && h > this.sure_in && !this.isInRadius(place)) return;
    this.total += 1;
    if (!is_by_distance) this.offerByName(tree.ids[place] ?? 0);
    else if (h >= this.floor && h <= this.bound) this.offerByDistance(place);
  }

  private isInRadius(place: number): boolean {
    const { position, radius_km, tree } = this.t;
    return (
      position === undefined || radius_km === undefined || distanceKm(position, positionAt(tree, place)) <= radius_km
    );
  }

  /** For lists by name: no part of the tree has lower numbers than another, so each is looked at. */
  private takeAll(left: number, right: number): void {
    const { filter, tree } = this.t;
    for (let place = left; place <= right; place += 1) {
      if (!filter.has(place)) continue;
      this.total += 1;
      this.offerByName(tree.ids[place] ?? 0);
    }
  }

  private offerByDistance(place: number): void {
    const { position, tree, selection, isNext } = this.t;
    const distance_km = position ? distanceKm(position, positionAt(tree, place)) : 0;
    if (!isNext(distance_km, place)) return;
    selection.offer(distance_km, place);
    if (selection.bound_km === this.bound_km) return;
    this.bound_km = selection.bound_km;
    this.bound = haversineOfKm(this.bound_km + MARGIN_KM);
  }

  private offerByName(number: number): void {
    if (number >= this.bound_number || !this.t.isNext(0, number)) return;
    this.t.selection.offer(0, number);
    this.bound_number = this.t.selection.bound;
  }
}
