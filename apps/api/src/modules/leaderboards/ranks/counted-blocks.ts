const BLOCK_SIZE = 512;
/** A filled block has room, so that the first insert does not split it. */
const FILLED_SIZE = 384;
/** Two neighbouring blocks with fewer entries than this together are merged. */
const MAX_MERGED_SIZE = 256;

interface Block {
  entries: Uint32Array;
  /** Points of the entries: a contiguous copy, because scattered memory is slow to read. */
  points: Int32Array;
  size: number;
}

interface Options {
  pointsOf(entry: number): number;
  /** Order of two entries with the same points; never 0. */
  compareTied(one: number, other: number): number;
}

/**
 * Ordered numbers, highest points first, then by `compareTied`, whose order must not change while they are contained:
 * blocks of up to 512 with their sizes in a Fenwick tree (P. M. Fenwick, A new data structure for cumulative frequency
 * tables, 1994). Each operation is a binary search, and a move within one block.
 */
export class CountedBlocks {
  size = 0;
  private blocks: Block[] = [emptyBlock()];
  /** The points of each block's first entry. */
  private heads = new Int32Array(1);
  /** sums[i]: number of entries in the blocks (i & (i + 1)) to i. */
  private sums = new Int32Array(1);
  private readonly options: Options;

  constructor(options: Options) {
    this.options = options;
  }

  /** Replaces all entries; `entries` are sorted. */
  load(entries: Uint32Array): void {
    this.blocks = [];
    for (let start = 0; start === 0 || start < entries.length; start += FILLED_SIZE) {
      const part = entries.subarray(start, start + FILLED_SIZE);
      const block = { ...emptyBlock(), size: part.length };
      block.entries.set(part);
      for (let offset = 0; offset < part.length; offset++)
        block.points[offset] = this.options.pointsOf(part[offset] ?? 0);
      this.blocks.push(block);
    }
    this.rebuildSums();
    this.size = entries.length;
  }

  insert(entry: number): void {
    const points = this.options.pointsOf(entry);
    const at = this.findBlockIndex(entry, points);
    const block = this.blockAt(at);
    insertAt(block, this.offsetIn(block, entry, points), entry, points);
    this.size += 1;
    this.addToSums(at, 1);
    if (block.size === BLOCK_SIZE) this.split(at);
  }

  /** Removes a contained entry. */
  remove(entry: number): void {
    const points = this.options.pointsOf(entry);
    const at = this.findBlockIndex(entry, points);
    const block = this.blockAt(at);
    const offset = this.offsetIn(block, entry, points);
    if (offset >= block.size || block.entries[offset] !== entry) throw new Error('The entry is not where its key says');
    block.entries.copyWithin(offset, offset + 1, block.size);
    block.points.copyWithin(offset, offset + 1, block.size);
    block.size -= 1;
    this.size -= 1;
    this.addToSums(at, -1);
    if (block.size < MAX_MERGED_SIZE / 2) this.mergeWithNeighbour(at);
  }

  /** Number of entries before a contained one. */
  positionOf(entry: number): number {
    const points = this.options.pointsOf(entry);
    const at = this.findBlockIndex(entry, points);
    return this.countBefore(at) + this.offsetIn(this.blockAt(at), entry, points);
  }

  /** Number of entries with more points. */
  countAbove(points: number): number {
    const { heads } = this;
    let low = 0;
    let high = this.size === 0 ? 0 : heads.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((heads[middle] ?? 0) > points) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return 0;
    const block = this.blockAt(low - 1);
    return this.countBefore(low - 1) + countAboveIn(block, points);
  }

  /** Returns up to `limit` entries from a position on. */
  slice(position: number, limit: number): number[] {
    const found: number[] = [];
    let [at, offset] = this.locate(position);
    while (found.length < limit && at < this.blocks.length) {
      const block = this.blockAt(at);
      for (; offset < block.size && found.length < limit; offset++) found.push(block.entries[offset] ?? 0);
      offset = 0;
      at += 1;
    }
    return found;
  }

  private blockAt(at: number): Block {
    const block = this.blocks[at];
    if (!block) throw new RangeError(`There is no block ${at}`);
    return block;
  }

  /** Returns the last block that does not begin after the entry. */
  private findBlockIndex(entry: number, points: number): number {
    const { heads } = this;
    let low = 1;
    let high = heads.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const head = heads[middle] ?? 0;
      const begins_after = head === points ? this.isBefore(entry, this.blockAt(middle).entries[0]) : head < points;
      if (begins_after) high = middle;
      else low = middle + 1;
    }
    return low - 1;
  }

  /** Position of the entry in the block, or where it would be inserted. */
  private offsetIn(block: Block, entry: number, points: number): number {
    let low = countAboveIn(block, points);
    let high = countAboveIn(block, points - 1);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.isBefore(block.entries[middle], entry)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private isBefore(one = 0, other = 0): boolean {
    return one !== other && this.options.compareTied(one, other) < 0;
  }

  private split(at: number): void {
    const block = this.blockAt(at);
    const half = block.size >>> 1;
    const upper = emptyBlock();
    append(upper, block, half);
    block.size = half;
    this.blocks.splice(at + 1, 0, upper);
    this.rebuildSums();
  }

  /** Merges a small block with a neighbour that has room; a block is empty only if it is the only one. */
  private mergeWithNeighbour(at: number): void {
    if (this.blocks.length === 1) return;
    for (const first of [at, at - 1]) {
      const [lower, upper] = [this.blocks[first], this.blocks[first + 1]];
      if (!lower || !upper || lower.size + upper.size > MAX_MERGED_SIZE) continue;
      append(lower, upper, 0);
      this.blocks.splice(first + 1, 1);
      this.rebuildSums();
      return;
    }
    if (this.blockAt(at).size > 0) return;
    this.blocks.splice(at, 1);
    this.rebuildSums();
  }

  private rebuildSums(): void {
    const { blocks } = this;
    const sums = new Int32Array(blocks.length);
    for (let at = 0; at < sums.length; at++) {
      sums[at] = (sums[at] ?? 0) + this.blockAt(at).size;
      const parent = at | (at + 1);
      if (parent < sums.length) sums[parent] = (sums[parent] ?? 0) + (sums[at] ?? 0);
    }
    this.sums = sums;
    this.heads = Int32Array.from(blocks, (block) => block.points[0] ?? 0);
  }

  private addToSums(at: number, difference: number): void {
    const { sums } = this;
    this.heads[at] = this.blockAt(at).points[0] ?? 0;
    for (let node = at; node < sums.length; node |= node + 1) sums[node] = (sums[node] ?? 0) + difference;
  }

  /** Number of entries in the previous blocks. */
  private countBefore(at: number): number {
    const { sums } = this;
    let sum = 0;
    for (let node = at - 1; node >= 0; node = (node & (node + 1)) - 1) sum += sums[node] ?? 0;
    return sum;
  }

  /** Returns the block that contains a position, and the offset in it. */
  private locate(position: number): [at: number, left: number] {
    const { sums } = this;
    let at = 0;
    let offset = position;
    for (let step = 1 << (31 - Math.clz32(sums.length)); step > 0; step >>>= 1) {
      const next = at + step;
      const sum = sums[next - 1] ?? 0;
      if (next > sums.length || sum > offset) continue;
      at = next;
      offset -= sum;
    }
    return [at, offset];
  }
}

function emptyBlock(): Block {
  return { entries: new Uint32Array(BLOCK_SIZE), points: new Int32Array(BLOCK_SIZE), size: 0 };
}

function insertAt(block: Block, offset: number, entry: number, points: number): void {
  block.entries.copyWithin(offset + 1, offset, block.size);
  block.entries[offset] = entry;
  block.points.copyWithin(offset + 1, offset, block.size);
  block.points[offset] = points;
  block.size += 1;
}

/** Appends the entries of another block from an index on. */
function append(block: Block, other: Block, from: number): void {
  block.entries.set(other.entries.subarray(from, other.size), block.size);
  block.points.set(other.points.subarray(from, other.size), block.size);
  block.size += other.size - from;
}

/** Number of entries of a block with more points. */
function countAboveIn({ points, size }: Block, limit: number): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((points[middle] ?? 0) > limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
