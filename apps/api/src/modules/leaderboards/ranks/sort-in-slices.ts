const SLICE_MS = 4;
/** Steps between two checks of the clock. */
const STRIDE = 2048;
const RUN_SIZE = 16;

/**
 * Cooperative yielding for long work: resolves at once while the time slice lasts, then after all others had their
 * turn.
 */
export type YieldIfDue = () => Promise<void>;

export function createYielder(): YieldIfDue {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
}

interface Order {
  /** Ascending sort key; called once per number. */
  keyOf(number: number): number;
  /** Order of two numbers with the same key. Its inputs must not change during the sort. */
  compareTied(one: number, other: number): number;
}

/** Numbers with their keys beside them: looking up each key would access memory at random. */
interface Columns {
  numbers: Uint32Array;
  keys: Float64Array;
}

/** Merge sort that keeps serving calls. */
export async function sortInSlices(numbers: Uint32Array, order: Order, yieldIfDue: YieldIfDue): Promise<Uint32Array> {
  const { length } = numbers;
  const { compareTied } = order;
  let from: Columns = { numbers, keys: new Float64Array(length) };
  let to: Columns = { numbers: new Uint32Array(length), keys: new Float64Array(length) };
  for (let start = 0; start < length; start += RUN_SIZE) {
    sortRun(from, start, Math.min(start + RUN_SIZE, length), order);
    if (start % STRIDE === 0) await yieldIfDue();
  }
  for (let width = RUN_SIZE; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width) {
      const middle = Math.min(start + width, length);
      const end = Math.min(middle + width, length);
      const merge: MergeState = { left: start, middle, right: middle, end, at: start };
      while (merge.at < end) {
        mergeSlice(from, to, merge, compareTied);
        if (merge.at % STRIDE === 0) await yieldIfDue();
      }
    }
    [from, to] = [to, from];
  }
  return from.numbers;
}

function sortRun({ numbers, keys }: Columns, start: number, end: number, { keyOf, compareTied }: Order): void {
  for (let next = start; next < end; next++) {
    const number = numbers[next] ?? 0;
    const key = keyOf(number);
    let at = next;
    for (; at > start; at--) {
      const before = keys[at - 1] ?? 0;
      if (before < key || (before === key && compareTied(numbers[at - 1] ?? 0, number) <= 0)) break;
      numbers[at] = numbers[at - 1] ?? 0;
      keys[at] = before;
    }
    numbers[at] = number;
    keys[at] = key;
  }
}

interface MergeState {
  left: number;
  middle: number;
  right: number;
  end: number;
  at: number;
}

/** Continues a merge up to the next multiple of the stride. */
function mergeSlice(from: Columns, to: Columns, merge: MergeState, compareTied: Order['compareTied']): void {
  const { numbers, keys } = from;
  const { middle, end } = merge;
  let { left, right, at } = merge;
  const stop = Math.min(end, at - (at % STRIDE) + STRIDE);
  for (; at < stop; at++) {
    const [key, other] = [keys[left] ?? 0, keys[right] ?? 0];
    let is_left = left < middle;
    if (is_left && right < end) {
      is_left = key < other || (key === other && compareTied(numbers[left] ?? 0, numbers[right] ?? 0) <= 0);
    }
    const next = is_left ? left++ : right++;
    to.numbers[at] = numbers[next] ?? 0;
    to.keys[at] = is_left ? key : other;
  }
  Object.assign(merge, { left, right, at });
}
