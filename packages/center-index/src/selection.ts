/** The first few of many entries in an order; entries are a distance (0 where it does not count) and a number. */
export interface Selection {
  /** Distance of the last of the few, Infinity as long as there is room. */
  readonly bound_km: number;
  readonly has_room: boolean;
  /** Number of the last of the few, Infinity as long as there is room. */
  readonly bound_number: number;
  offer(distance_km: number, number: number): void;
  /** The few, first to last. Ends the selection. */
  drain(): Entry[];
}

export interface Entry {
  distance_km: number;
  number: number;
}

/** Equal distances are told apart by `compare`. Costs memory for `capacity` entries and log(capacity) an offer. */
export function selectFirst(capacity: number, compareNumbers: (a: number, b: number) => number): Selection {
  // A heap with the last of the few on top.
  const heap: Entry[] = [];
  const isAfter = (a: Entry, b: Entry) => (a.distance_km - b.distance_km || compareNumbers(a.number, b.number)) > 0;
  return {
    get bound_km() {
      return heap.length < capacity ? Number.POSITIVE_INFINITY : (heap[0]?.distance_km ?? Number.NEGATIVE_INFINITY);
    },
    get has_room() {
      return heap.length < capacity;
    },
    get bound_number() {
      return heap.length < capacity ? Number.POSITIVE_INFINITY : (heap[0]?.number ?? Number.NEGATIVE_INFINITY);
    },
    offer(distance_km, number) {
      const entry = { distance_km, number };
      if (heap.length < capacity) {
        heap.push(entry);
        rise(heap, isAfter);
      } else if (heap[0] && isAfter(heap[0], entry)) {
        heap[0] = entry;
        sink(heap, isAfter);
      }
    },
    drain: () => heap.sort((a, b) => (isAfter(a, b) ? 1 : -1)),
  };
}

function rise(heap: Entry[], isAfter: (a: Entry, b: Entry) => boolean): void {
  let at = heap.length - 1;
  while (at > 0) {
    const above = (at - 1) >>> 1;
    const [entry, parent] = [heap[at], heap[above]];
    if (!entry || !parent || !isAfter(entry, parent)) return;
    heap[at] = parent;
    heap[above] = entry;
    at = above;
  }
}

function sink(heap: Entry[], isAfter: (a: Entry, b: Entry) => boolean): void {
  let at = 0;
  for (;;) {
    let below = at * 2 + 1;
    const [entry, left, right] = [heap[at], heap[below], heap[below + 1]];
    if (!entry || !left) return;
    let last = left;
    if (right && isAfter(right, left)) {
      last = right;
      below += 1;
    }
    if (!isAfter(last, entry)) return;
    heap[at] = last;
    heap[below] = entry;
    at = below;
  }
}
