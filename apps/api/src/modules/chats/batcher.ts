interface QueuedItem<Item, Outcome> {
  item: Item;
  outcome: Promise<Outcome>;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

interface BatcherOptions<Item, Outcome> {
  /**
   * Runs the items and returns their outcomes in order. If it throws, each item may run again: a repeat must be
   * harmless. `is_fallback`: a batch with this item has failed.
   */
  run(items: Item[], is_fallback: boolean): Promise<Outcome[]>;
  /** Two items of one key never share a batch. */
  keyOf(item: Item): string;
  /** Whether two items of one key are the same, so that they share one outcome. */
  isSame(one: Item, other: Item): boolean;
  /** Whether each item alone would fail in the same way. */
  failsForAll(error: unknown): boolean;
  max_items: number;
}

/**
 * Items that arrive in one tick, or while the previous batch runs, form the next batch; one batch runs at a time. If it
 * fails, its items run one by one, so that a bad item fails alone.
 */
export function createBatcher<Item, Outcome>(options: BatcherOptions<Item, Outcome>) {
  const { keyOf, isSame, max_items } = options;
  type Entry = QueuedItem<Item, Outcome>;
  let queue: Entry[] = [];
  let by_key = new Map<string, Entry>();
  let is_running = false;

  const takeBatch = (): Entry[] => {
    const batch = new Map<string, Entry>();
    const rest: Entry[] = [];
    for (const entry of queue) {
      const key = keyOf(entry.item);
      if (batch.size < max_items && !batch.has(key)) batch.set(key, entry);
      else rest.push(entry);
    }
    queue = rest;
    by_key = new Map(rest.map((entry) => [keyOf(entry.item), entry]));
    return [...batch.values()];
  };
  const runBatches = async () => {
    for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) await runBatch(options, batch, false);
    is_running = false;
  };
  return {
    /** `is_duplicate`: the same item was already queued; `outcome` is that item's. */
    add(item: Item): { outcome: Promise<Outcome>; is_duplicate: boolean } {
      const queued = by_key.get(keyOf(item));
      if (queued && isSame(queued.item, item)) return { outcome: queued.outcome, is_duplicate: true };
      const { promise: outcome, resolve, reject } = Promise.withResolvers<Outcome>();
      const entry = { item, outcome, resolve, reject };
      queue.push(entry);
      by_key.set(keyOf(item), entry);
      if (!is_running) {
        is_running = true;
        setImmediate(runBatches);
      }
      return { outcome, is_duplicate: false };
    },
  };
}

/** Never rejects: each outcome or error goes to the item's own promise. */
async function runBatch<Item, Outcome>(
  options: BatcherOptions<Item, Outcome>,
  batch: QueuedItem<Item, Outcome>[],
  is_fallback: boolean,
): Promise<void> {
  try {
    const outcomes = await options.run(
      batch.map(({ item }) => item),
      is_fallback,
    );
    for (const [nth, outcome] of outcomes.entries()) batch[nth]?.resolve(outcome);
  } catch (error) {
    if (batch.length === 1 || options.failsForAll(error)) for (const { reject } of batch) reject(error);
    else for (const entry of batch) await runBatch(options, [entry], true);
  }
}
