import KDBush from 'kdbush';
import { type Columns, compareIds } from './columns.ts';

/** Finer than searches go: so the nearest few lie side by side even in a leaf, and what is kept by place is read at once. */
const NODE_SIZE = 4;
const BUCKETS = 1 << 16;

/**
 * What a search goes through, computed from the columns; 31 bytes a center. A place is where a center stands in the tree:
 * neighbours have places side by side, and so what is looked at together lies together.
 */
export interface Order {
  /** A kdbush tree over the positions; its ids are the numbers, by place. */
  readonly tree: ArrayBuffer;
  /** The place of each number. */
  readonly places: Uint32Array<ArrayBuffer>;
  /** By place. */
  readonly flags: Uint8Array<ArrayBuffer>;
  /** By place. */
  readonly countries: Uint16Array<ArrayBuffer>;
  /** The numbers of all centers, by id. */
  readonly by_id: Uint32Array<ArrayBuffer>;
}

/** The costly part of building an index, about half a second for a million; may be done in a process of its own. */
export function orderColumns(columns: Columns): Order {
  const { size } = columns;
  const tree = growTree(columns);
  const places = new Uint32Array(size);
  const flags = new Uint8Array(size);
  const countries = new Uint16Array(size);
  for (let place = 0; place < size; place += 1) {
    const number = tree.ids[place] ?? 0;
    places[number] = place;
    flags[place] = columns.flags[number] ?? 0;
    countries[place] = columns.countries[number] ?? 0;
  }
  return { tree: tree.data as ArrayBuffer, places, flags, countries, by_id: sortById(columns) };
}

function growTree({ size, positions }: Columns): KDBush {
  const tree = new KDBush(size, NODE_SIZE);
  for (let at = 0; at < size; at += 1) tree.add(positions[at * 2] ?? 0, positions[at * 2 + 1] ?? 0);
  tree.finish();
  return tree;
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
