import type { Position } from '@sendlap/domain/geo.ts';

const FIRST_SIZE = 1024;

/**
 * The positions of the nodes that somebody asked for, in 25 bytes each: a country's ways have millions of them.
 * First `ask` for all, then `seal`, then `put` what the file says, then `get`.
 */
export class NodePositions {
  private ids = new Float64Array(FIRST_SIZE);
  private count = 0;
  private latitudes = new Float64Array(0);
  private longitudes = new Float64Array(0);
  /** 0: unknown, 1: of a mere corner, 2: of a node with tags, which says more. */
  private known = new Uint8Array(0);

  ask(id: number): void {
    if (this.count === this.ids.length) this.grow();
    this.ids[this.count] = id;
    this.count += 1;
  }

  /** Ends the asking. Returns how many nodes were asked for. */
  seal(): number {
    this.count = this.sortOut();
    this.ids = this.ids.slice(0, this.count);
    this.latitudes = new Float64Array(this.count);
    this.longitudes = new Float64Array(this.count);
    this.known = new Uint8Array(this.count);
    return this.count;
  }

  /** Notes where a node is, if it was asked for; the first with tags, else the last, is right. */
  put(id: number, point: Position, tagged: boolean): void {
    const at = this.find(id);
    if (at === -1 || this.known[at] === 2) return;
    this.known[at] = tagged ? 2 : 1;
    this.latitudes[at] = point.latitude;
    this.longitudes[at] = point.longitude;
  }

  get(id: number): Position | null {
    const at = this.find(id);
    if (at === -1 || this.known[at] === 0) return null;
    return { latitude: this.latitudes[at] ?? 0, longitude: this.longitudes[at] ?? 0 };
  }

  private find(id: number): number {
    let [low, high] = [0, this.ids.length - 1];
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = this.ids[middle] ?? 0;
      if (found === id) return middle;
      if (found < id) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** Many ways share their corners: before more room is taken, what stands twice goes. */
  private grow(): void {
    this.count = this.sortOut();
    if (this.count < this.ids.length / 2) return;
    const larger = new Float64Array(this.ids.length * 2);
    larger.set(this.ids.subarray(0, this.count));
    this.ids = larger;
  }

  private sortOut(): number {
    const sorted = this.ids.subarray(0, this.count).sort();
    let kept = 0;
    for (const id of sorted) {
      if (kept > 0 && sorted[kept - 1] === id) continue;
      sorted[kept] = id;
      kept += 1;
    }
    return kept;
  }
}
