import { distanceKm, type Position } from '@sendlap/domain/geo.ts';
import type { Components } from './components.ts';
import { isPlaceAt } from './merge.ts';
import { type Described, SAME_PLACE_REACH_M } from './same-place.ts';

/** A candidate that no reference says the place of (`is_fresh`), or a stored center. */
export type Point = Position & Described & { item: number; source: string; is_fresh: boolean };

type Strip = { row: number; columns: Map<number, Point[]> };

const METRES_PER_DEGREE = 111_195;
/** A little more than the reach, against rounding. */
const STRIP_DEGREES = (SAME_PLACE_REACH_M / METRES_PER_DEGREE) * 1.001;
const LAST_LATITUDE = 89;
const SOUTH_STRIPS = Math.ceil(90 / STRIP_DEGREES);
/** More than any strip of the world has. */
export const STRIPS = 2 * SOUTH_STRIPS + 1;

/** The strip of the world that a latitude lies in, from 0 in the south. */
export function stripOf(latitude: number): number {
  return Math.floor(latitude / STRIP_DEGREES) + SOUTH_STRIPS;
}

/**
 * Links points that could be one place. They come strip by strip from south to north, so that only those of the last
 * two strips, each as wide as the longest distance that matters, have to be kept.
 */
export class SweepLine {
  private readonly components: Components;
  private strip: Strip = emptyStrip(Number.NaN);
  private before: Strip = emptyStrip(Number.NaN);

  constructor(components: Components) {
    this.components = components;
  }

  add(point: Point): void {
    const row = Math.floor(point.latitude / STRIP_DEGREES);
    if (row !== this.strip.row) {
      this.before = row === this.strip.row + 1 ? this.strip : emptyStrip(row - 1);
      this.strip = emptyStrip(row);
    }
    this.linkWith(this.before, point);
    this.linkWith(this.strip, point);
    const column = columnOf(point.longitude, row);
    const there = this.strip.columns.get(column);
    if (there === undefined) this.strip.columns.set(column, [point]);
    else there.push(point);
  }

  private linkWith({ row, columns }: Strip, point: Point): void {
    if (columns.size === 0) return;
    const wide = widthOf(row);
    const last = columnOf(point.longitude + wide, row);
    for (let column = columnOf(point.longitude - wide, row); column <= last; column += 1) {
      for (const other of columns.get(column) ?? []) this.linkIfSame(point, other);
    }
  }

  private linkIfSame(a: Point, b: Point): void {
    // What two stored centers are was decided before; and what is linked already needs no look at its names.
    if ((!a.is_fresh && !b.is_fresh) || this.components.find(a.item) === this.components.find(b.item)) return;
    const metres = distanceKm(a, b) * 1000;
    if (metres > SAME_PLACE_REACH_M) return;
    if (isPlaceAt(a, b, metres) || isPlaceAt(b, a, metres)) this.components.link(a.item, b.item);
  }
}

function emptyStrip(row: number): Strip {
  return { row, columns: new Map() };
}

/** Degrees of longitude that are as wide as a strip is high, anywhere in a strip. */
function widthOf(row: number): number {
  const edge = Math.min(LAST_LATITUDE, Math.max(Math.abs(row), Math.abs(row + 1)) * STRIP_DEGREES);
  return STRIP_DEGREES / Math.cos((edge * Math.PI) / 180);
}

function columnOf(longitude: number, row: number): number {
  return Math.floor(longitude / widthOf(row));
}
