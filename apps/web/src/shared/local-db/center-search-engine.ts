import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import { type CopyFacts, type CopyIndex, factsOf, indexCopies } from './center-copies.ts';
import type { CopyPage, CopyRequest } from './center-search-messages.ts';
import { openCache } from './database.ts';
import type { CenterCopy } from './schema.ts';

/** Copies are read in chunks, so that thousands of them are never in memory as records at once. */
const PART = 1000;
/** `cached_at` is from before the write; the copy may reach the disk this much later, after others. */
const LATE_MS = 10_000;

export interface CenterSearchEngine {
  search(request: CopyRequest): Promise<CopyPage>;
  /** Reads the changes since the last reading. Until it ends, searches use the previous one. */
  refresh(): Promise<void>;
}

interface Reading {
  facts: Map<string, CopyFacts>;
  index: CopyIndex;
  /** Start of the reading, ms epoch. */
  read_at: number;
}

/** Searches the copies in IndexedDB. Texts and columns stay in memory, the records in the database. */
export function createCenterSearchEngine(): CenterSearchEngine {
  let reading = readEverything();
  // The next search reads once more, and gets the error only if that fails too.
  reading.catch(() => {});
  let current: Reading | null = null;
  void reading.then(show, () => {});

  function show(read: Reading): void {
    current = read;
  }

  return {
    async search(request) {
      if (!current) {
        reading = reading.catch(readEverything);
        show(await reading);
      }
      return searchReading(current ?? (await reading), request);
    },
    async refresh() {
      // Sequential: an older reading must not overwrite a newer one.
      reading = reading.then(readChanges, readEverything);
      show(await reading);
    },
  };
}

async function searchReading({ index }: Reading, request: CopyRequest): Promise<CopyPage> {
  const { found, ...page } = index.search(request.query, request);
  const centers = await readSome(found.map(({ id }) => id));
  const items = found.flatMap(({ distance_km }, at) => {
    const center = centers[at];
    return center ? [{ ...center, distance_km }] : [];
  });
  const times = found.map(({ cached_at }) => cached_at);
  return { ...page, items, cached_at: times.length > 0 ? Math.min(...times) : null, saved: index.size };
}

async function readEverything(): Promise<Reading> {
  const read_at = Date.now();
  const facts = new Map<string, CopyFacts>();
  for await (const copy of readAll()) facts.set(copy.value.id, factsOf(copy));
  return { facts, index: indexCopies(facts.values()), read_at };
}

/**
 * Reads copies that are newer than the last reading and drops removed ones; reads everything if the clock was set back.
 */
async function readChanges({ facts: before, read_at: last_at }: Reading): Promise<Reading> {
  const read_at = Date.now();
  // The clock was set back.
  if (read_at < last_at) return readEverything();
  const { store } = (await openCache()).transaction('sport_centers');
  const [fresh, ids] = await Promise.all([
    store.index('cached_at').getAll(IDBKeyRange.lowerBound(last_at - LATE_MS)),
    store.getAllKeys(),
  ]);
  const known = new Map([...before, ...fresh.map((copy) => [copy.value.id, factsOf(copy)] as const)]);
  const facts = new Map<string, CopyFacts>();
  for (const id of ids) {
    const fact = known.get(id);
    if (!fact) return readEverything();
    facts.set(id, fact);
  }
  return { facts, index: indexCopies(facts.values()), read_at };
}

async function* readAll(): AsyncGenerator<CenterCopy> {
  const database = await openCache();
  let range: IDBKeyRange | undefined;
  for (;;) {
    const copies = await database.getAll('sport_centers', range, PART);
    yield* copies;
    const last = copies.at(-1);
    if (!last || copies.length < PART) return;
    range = IDBKeyRange.lowerBound(last.value.id, true);
  }
}

async function readSome(ids: readonly string[]): Promise<(SportCenter | undefined)[]> {
  if (ids.length === 0) return [];
  const { store } = (await openCache()).transaction('sport_centers');
  const copies = await Promise.all(ids.map((id) => store.get(id)));
  return copies.map((copy) => copy?.value);
}
