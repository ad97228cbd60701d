/** Delays (ms) before an item whose part is busy is retried; doubled each time. */
const FIRST_DELAY_MS = 5;
const MOST_DELAY_MS = 250;

interface Waiting<Item, Outcome> {
  item: Item;
  settled: Promise<Outcome>;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
  /** How often the item was found busy, and since when (monotonic ms). */
  tries: number;
  busy_since: number | undefined;
}

interface GroupingOptions<Item, Outcome> {
  /**
   * Runs all items at once, or none except that busy items are left out. Returns the outcomes in the order of the
   * items.
   */
  run(items: Item[]): Promise<Outcome[]>;
  /** Two items of one key never share a group. */
  keyOf(item: Item): string;
  /** Items of one part run in order of arrival. */
  partOf(item: Item): string;
  /** Whether two items of one key are the same, so that they share one outcome. */
  isSame(one: Item, other: Item): boolean;
  /** Whether the outcome says that nothing was done because another transaction holds the part. */
  isBusy(outcome: Outcome): boolean;
  /** How long an item is retried before that outcome is final. */
  patience_ms: number;
  /** Whether each item alone would fail in the same way. */
  concernsAll(error: unknown): boolean;
  max_items: number;
}

/**
 * Batches concurrent items: items that arrive in one tick, or while the previous group runs, form the next group. One
 * group runs at a time, in order of arrival. If a group fails, its items run one by one, so that a bad item fails
 * alone. A busy item returns to the head of the queue with all items of its part behind it, and its part is left out of
 * the groups for a while.
 */
export function createGrouping<Item, Outcome>(options: GroupingOptions<Item, Outcome>) {
  const { keyOf, partOf, isSame, max_items } = options;
  type Entry = Waiting<Item, Outcome>;
  let waiting: Entry[] = [];
  let by_key = new Map<string, Entry>();
  const pauses = createPauses(options.patience_ms);
  let is_working = false;
  let timer: NodeJS.Timeout | undefined;

  const take = (): Entry[] => {
    const group = new Map<string, Entry>();
    const rest: Entry[] = [];
    const now = performance.now();
    for (const entry of waiting) {
      const key = keyOf(entry.item);
      const belongs = group.size < max_items && !group.has(key);
      if (belongs && (pauses.size() === 0 || pauses.isOver(partOf(entry.item), now))) group.set(key, entry);
      else rest.push(entry);
    }
    waiting = rest;
    by_key = new Map(rest.map((entry) => [keyOf(entry.item), entry]));
    return [...group.values()];
  };
  const putBack = (busy: Entry[]) => {
    if (busy.length === 0) return;
    waiting = [...busy, ...waiting];
    for (const entry of busy) pauses.begin(partOf(entry.item), entry);
    // Items behind a busy item of their part wait as well, from now on.
    const now = performance.now();
    for (const entry of waiting) if (pauses.has(partOf(entry.item))) entry.busy_since ??= now;
  };
  const work = async () => {
    for (let group = take(); group.length > 0; group = take()) putBack(await settle(options, group));
    is_working = false;
    if (pauses.size() > 0) timer = setTimeout(start, Math.max(0, pauses.nextEnd() - performance.now()));
  };
  const start = () => {
    if (is_working) return;
    is_working = true;
    clearTimeout(timer);
    setImmediate(work);
  };
  return {
    /** `is_copy`: the same item was already queued or running; `outcome` is that item's. */
    add(item: Item): { outcome: Promise<Outcome>; is_copy: boolean } {
      const known = by_key.get(keyOf(item));
      if (known && isSame(known.item, item)) return { outcome: known.settled, is_copy: true };
      const { promise: settled, resolve, reject } = Promise.withResolvers<Outcome>();
      const entry = { item, settled, resolve, reject, tries: 0, busy_since: undefined };
      waiting.push(entry);
      by_key.set(keyOf(item), entry);
      start();
      return { outcome: settled, is_copy: false };
    },
  };
}

/** End times of the pauses of busy parts. A part has one only while items of it wait. */
function createPauses(patience_ms: number) {
  const ends = new Map<string, number>();
  return {
    size: () => ends.size,
    has: (part: string) => ends.has(part),
    nextEnd: () => Math.min(...ends.values()),
    /** Ends the pause if its time is over: after true the part is no longer paused. */
    isOver(part: string, now: number): boolean {
      const end = ends.get(part);
      if (end === undefined) return true;
      return end <= now && ends.delete(part);
    },
    /** If several items of a part are busy, only the first one sets the pause. */
    begin(part: string, { tries, busy_since }: Pick<Waiting<unknown, unknown>, 'tries' | 'busy_since'>): void {
      if (ends.has(part)) return;
      const now = performance.now();
      const delay_ms = Math.min(MOST_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
      // The last retry is when the patience ends.
      ends.set(part, Math.min(now + delay_ms, (busy_since ?? now) + patience_ms));
    },
  };
}

/** Runs a group; returns the items to retry. Never rejects: each outcome or error goes to the item's own promise. */
async function settle<Item, Outcome>(
  options: GroupingOptions<Item, Outcome>,
  group: Waiting<Item, Outcome>[],
): Promise<Waiting<Item, Outcome>[]> {
  const { run, partOf, concernsAll } = options;
  const again: typeof group = [];
  try {
    const outcomes = await run(group.map(({ item }) => item));
    for (const [nth, outcome] of outcomes.entries()) {
      const entry = group[nth];
      if (!entry) continue;
      if (options.isBusy(outcome) && isPatient(entry, options.patience_ms)) again.push(entry);
      else entry.resolve(outcome);
    }
  } catch (error) {
    if (group.length === 1 || concernsAll(error)) {
      for (const { reject } of group) reject(error);
      return again;
    }
    const busy_parts = new Set<string>();
    for (const entry of group) {
      const part = partOf(entry.item);
      const busy = busy_parts.has(part) ? [entry] : await settle(options, [entry]);
      if (busy.length > 0) busy_parts.add(part);
      again.push(...busy);
    }
  }
  return again;
}

/** Counts another busy try; returns whether the item may be retried. */
function isPatient(entry: Waiting<unknown, unknown>, patience_ms: number): boolean {
  const now = performance.now();
  entry.busy_since ??= now;
  entry.tries += 1;
  return now - entry.busy_since < patience_ms;
}
