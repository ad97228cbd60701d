export interface Entry {
  distance_km: number;
  one: number;
}

/** The first few of many in an order: by distance (0 where it does not count), then as `compare` says. */
export class Selection {
  private readonly capacity: number;
  private readonly compare: (a: number, b: number) => number;
  // A heap with the last of the few on top, in two arrays.
  private readonly distances_km: number[] = [];
  private readonly found: number[] = [];

  /** Costs memory for `capacity` entries and log(capacity) an offer. */
  constructor(capacity: number, compare: (a: number, b: number) => number) {
    this.capacity = capacity;
    this.compare = compare;
  }

  get has_room(): boolean {
    return this.found.length < this.capacity;
  }

  /** Distance of the last of the few, Infinity as long as there is room. */
  get bound_km(): number {
    return this.has_room ? Number.POSITIVE_INFINITY : (this.distances_km[0] ?? 0);
  }

  /** The last of the few, Infinity as long as there is room. */
  get bound(): number {
    return this.has_room ? Number.POSITIVE_INFINITY : (this.found[0] ?? 0);
  }

  offer(distance_km: number, one: number): void {
    if (this.has_room) this.rise(distance_km, one);
    else if (this.isAfter(0, distance_km, one)) this.sink(distance_km, one, this.found.length);
  }

  /** The few, first to last. Ends the selection. */
  drain(): Entry[] {
    const { distances_km, found } = this;
    const entries = new Array<Entry>(found.length);
    for (let last = found.length - 1; last >= 0; last -= 1) {
      entries[last] = { distance_km: distances_km[0] ?? 0, one: found[0] ?? 0 };
      this.sink(distances_km[last] ?? 0, found[last] ?? 0, last);
    }
    return entries;
  }

  /** Whether the entry at this place of the heap comes after this one. */
  private isAfter(at: number, distance_km: number, one: number): boolean {
    const known_km = this.distances_km[at] ?? 0;
    return known_km > distance_km || (known_km === distance_km && this.compare(this.found[at] ?? 0, one) > 0);
  }

  private put(at: number, distance_km: number, one: number): void {
    this.distances_km[at] = distance_km;
    this.found[at] = one;
  }

  private move(from: number, to: number): void {
    this.put(to, this.distances_km[from] ?? 0, this.found[from] ?? 0);
  }

  /** Puts it at the end, then as high as it belongs. */
  private rise(distance_km: number, one: number): void {
    let at = this.found.length;
    for (let above = (at - 1) >> 1; at > 0 && !this.isAfter(above, distance_km, one); above = (at - 1) >> 1) {
      this.move(above, at);
      at = above;
    }
    this.put(at, distance_km, one);
  }

  /** Puts it in place of the top, then as low as it belongs among the first `size`. */
  private sink(distance_km: number, one: number, size: number): void {
    let at = 0;
    for (let below = 1; below < size; below = at * 2 + 1) {
      const { distances_km, found } = this;
      const right = below + 1;
      if (right < size && this.isAfter(right, distances_km[below] ?? 0, found[below] ?? 0)) below = right;
      if (!this.isAfter(below, distance_km, one)) break;
      this.move(below, at);
      at = below;
    }
    this.put(at, distance_km, one);
  }
}
