/**
 * Numbered things that belong together through links of pairs: a union-find whose roots are the lowest number of each
 * group. R. E. Tarjan, "Efficiency of a good but not linear set union algorithm" (1975), with path halving.
 */
export class Components {
  private readonly parents: Int32Array;

  constructor(size: number) {
    this.parents = new Int32Array(size);
    for (let at = 0; at < size; at += 1) this.parents[at] = at;
  }

  find(item: number): number {
    let at = item;
    while (true) {
      const parent = this.parents[at] ?? at;
      if (parent === at) return at;
      const above = this.parents[parent] ?? parent;
      this.parents[at] = above;
      at = above;
    }
  }

  link(a: number, b: number): void {
    const [one, other] = [this.find(a), this.find(b)];
    if (one < other) this.parents[other] = one;
    else this.parents[one] = other;
  }

  /** Groups whose lowest number is below `end`, ordered by it; each with its members in order. */
  *groups(end: number): Generator<number[]> {
    const next = new Int32Array(this.parents.length).fill(-1);
    const last = new Int32Array(end).fill(-1);
    for (let item = 0; item < this.parents.length; item += 1) {
      const root = this.find(item);
      if (root >= end) continue;
      if (item !== root) next[last[root] ?? root] = item;
      last[root] = item;
    }
    for (let root = 0; root < end; root += 1) {
      if (this.parents[root] !== root) continue;
      const members: number[] = [];
      for (let item = root; item !== -1; item = next[item] ?? -1) members.push(item);
      yield members;
    }
  }
}
