import KDBush from 'kdbush';
import { type Columns, compareIds } from './columns.ts';

const NODE_SIZE = 32;
const BUCKETS = 1 << 16;

/** What is computed from the columns; 16 bytes a center. */
export interface Order {
  /** A kdbush tree over the positions as 32-bit floats. */
  readonly tree: ArrayBuffer;
  /** The numbers of all centers, by id. */
  readonly by_id: Uint32Array<ArrayBuffer>;
}

/** The costly part of building an index, about half a second for a million; may be done in a thread of its own. */
export function orderColumns(columns: Columns): Order {
  return { tree: growTree(columns), by_id: sortById(columns) };
}

function growTree({ size, positions }: Columns): ArrayBuffer {
  const tree = new KDBush(size, NODE_SIZE, Float32Array);
  for (let at = 0; at < size; at += 1) tree.add(positions[at * 2] ?? 0, positions[at * 2 + 1] ?? 0);
  tree.finish();
  return tree.data as ArrayBuffer;
}

/** By the first 16 bits into buckets, then each bucket for itself: random ids leave a few in each. */
function sortById(columns: Columns): Uint32Array<ArrayBuffer> {
  const { size, ids } = columns;
  const ends = new Uint32Array(BUCKETS + 1);
  const bucketOf = (number: number) => (ids[number * 4] ?? 0) >>> 16;
  for (let number = 0; number < size; number += 1) ends[bucketOf(number) + 1] = (ends[bucketOf(number) + 1] ?? 0) + 1;
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) ends[bucket + 1] = (ends[bucket + 1] ?? 0) + (ends[bucket] ?? 0);
  const starts = ends.slice();
  const by_id = new Uint32Array(size);
  for (let number = 0; number < size; number += 1) {
    const at = starts[bucketOf(number)] ?? 0;
    by_id[at] = number;
    starts[bucketOf(number)] = at + 1;
  }
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    const [from = 0, to = 0] = [ends[bucket], ends[bucket + 1]];
    if (to - from > 1) by_id.subarray(from, to).sort((a, b) => compareIds(columns, a, b));
  }
  return by_id;
}
