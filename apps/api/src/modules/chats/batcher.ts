/** Delays (ms) before an item whose partition is busy is retried; doubled each time. */
const FIRST_DELAY_MS = 5;
const MAX_DELAY_MS = 250;

interface QueuedItem<Item, Outcome> {
  item: Item;
  outcome: Promise<Outcome>;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
  /** How often the item was found busy, and since when (monotonic ms). */
  tries: number;
  busy_since: number | undefined;
}

interface BatcherOptions<Item, Outcome> {
  /**
   * Runs all items at once, or none except that busy items are left out. Returns the outcomes in the order of the
   * items.
   */
  run(items: Item[]): Promise<Outcome[]>;
  /** Two items of one key never share a batch. */
  keyOf(item: Item): string;
  /** Items of one partition run in order of arrival. */
  partitionOf(item: Item): string;
  /** Whether two items of one key are the same, so that they share one outcome. */
  isSame(one: Item, other: Item): boolean;
  /** Whether the outcome says that nothing was done because another transaction holds the partition. */
  isBusy(outcome: Outcome): boolean;
  /** How long an item is retried before that outcome is final. */
  max_wait_ms: number;
  /** Whether each item alone would fail in the same way. */
  failsForAll(error: unknown): boolean;
  max_items: number;
}

/**
 * Items that arrive in one tick, or while the previous batch runs, form the next batch; one batch runs at a time. If it
 * fails, its items run one by one, so that a bad item fails alone. A busy item returns to the head of the queue with
 * all items of its partition behind it, and the partition backs off: batches skip it for a while.
 */
export function createBatcher<Item, Outcome>(options: BatcherOptions<Item, Outcome>) {
  const { keyOf, partitionOf, isSame, max_items } = options;
  type Entry = QueuedItem<Item, Outcome>;
  let queue: Entry[] = [];
  let by_key = new Map<string, Entry>();
  const backoffs = createBackoffs(options.max_wait_ms);
  let is_running = false;
  let timer: NodeJS.Timeout | undefined;

  const takeBatch = (): Entry[] => {
    const batch = new Map<string, Entry>();
    const rest: Entry[] = [];
    const now = performance.now();
    for (const entry of queue) {
      const key = keyOf(entry.item);
      const belongs = batch.size < max_items && !batch.has(key);
      if (belongs && (backoffs.size() === 0 || backoffs.isOver(partitionOf(entry.item), now))) batch.set(key, entry);
      else rest.push(entry);
    }
    queue = rest;
    by_key = new Map(rest.map((entry) => [keyOf(entry.item), entry]));
    return [...batch.values()];
  };
  const requeue = (busy: Entry[]) => {
    if (busy.length === 0) return;
    queue = [...busy, ...queue];
    for (const entry of busy) backoffs.begin(partitionOf(entry.item), entry);
    // Items behind a busy item of their partition wait as well, from now on.
    const now = performance.now();
    for (const entry of queue) if (backoffs.has(partitionOf(entry.item))) entry.busy_since ??= now;
  };
  const runBatches = async () => {
    for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) requeue(await runBatch(options, batch));
    is_running = false;
    if (backoffs.size() > 0) timer = setTimeout(scheduleRun, Math.max(0, backoffs.nextEnd() - performance.now()));
  };
  const scheduleRun = () => {
    if (is_running) return;
    is_running = true;
    clearTimeout(timer);
    setImmediate(runBatches);
  };
  return {
    /** `is_duplicate`: the same item was already queued or running; `outcome` is that item's. */
    add(item: Item): { outcome: Promise<Outcome>; is_duplicate: boolean } {
      const queued = by_key.get(keyOf(item));
      if (queued && isSame(queued.item, item)) return { outcome: queued.outcome, is_duplicate: true };
      const { promise: outcome, resolve, reject } = Promise.withResolvers<Outcome>();
      const entry = { item, outcome, resolve, reject, tries: 0, busy_since: undefined };
      queue.push(entry);
      by_key.set(keyOf(item), entry);
      scheduleRun();
      return { outcome, is_duplicate: false };
    },
  };
}

/** End times of the back-offs of busy partitions. A partition has one only while items of it wait. */
function createBackoffs(max_wait_ms: number) {
  const ends = new Map<string, number>();
  return {
    size: () => ends.size,
    has: (partition: string) => ends.has(partition),
    nextEnd: () => Math.min(...ends.values()),
    /** Ends the back-off if its time is over: after true the partition no longer backs off. */
    isOver(partition: string, now: number): boolean {
      const end = ends.get(partition);
      if (end === undefined) return true;
      return end <= now && ends.delete(partition);
    },
    /** If several items of a partition are busy, only the first one starts the back-off. */
    begin(partition: string, { tries, busy_since }: Pick<QueuedItem<unknown, unknown>, 'tries' | 'busy_since'>): void {
      if (ends.has(partition)) return;
      const now = performance.now();
      const delay_ms = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
      // The last retry is when `max_wait_ms` ends.
      ends.set(partition, Math.min(now + delay_ms, (busy_since ?? now) + max_wait_ms));
    },
  };
}

/** Runs a batch; returns the items to retry. Never rejects: each outcome or error goes to the item's own promise. */
async function runBatch<Item, Outcome>(
  options: BatcherOptions<Item, Outcome>,
  batch: QueuedItem<Item, Outcome>[],
): Promise<QueuedItem<Item, Outcome>[]> {
  const { run, partitionOf, failsForAll } = options;
  const to_retry: typeof batch = [];
  try {
    const outcomes = await run(batch.map(({ item }) => item));
    for (const [nth, outcome] of outcomes.entries()) {
      const entry = batch[nth];
      if (!entry) continue;
      if (options.isBusy(outcome) && recordBusyTry(entry, options.max_wait_ms)) to_retry.push(entry);
      else entry.resolve(outcome);
    }
  } catch (error) {
    if (batch.length === 1 || failsForAll(error)) {
      for (const { reject } of batch) reject(error);
      return to_retry;
    }
    const busy_partitions = new Set<string>();
    for (const entry of batch) {
      const partition = partitionOf(entry.item);
      const busy = busy_partitions.has(partition) ? [entry] : await runBatch(options, [entry]);
      if (busy.length > 0) busy_partitions.add(partition);
      to_retry.push(...busy);
    }
  }
  return to_retry;
}

/** Counts another busy try; returns whether the item may be retried. */
function recordBusyTry(entry: QueuedItem<unknown, unknown>, max_wait_ms: number): boolean {
  const now = performance.now();
  entry.busy_since ??= now;
  entry.tries += 1;
  return now - entry.busy_since < max_wait_ms;
}
