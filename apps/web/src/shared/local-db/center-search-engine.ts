import { type CopyFacts, type CopyIndex, indexCopies, toCopyFacts } from './center-copies.ts';
import type { CopyPage, CopyRequest } from './center-search-messages.ts';
import { openCache } from './database.ts';
import type { CenterCopy } from './schema.ts';

/** Copies are read in chunks, so that thousands of them are never in memory as records at once. */
const CHUNK_SIZE = 1000;
/** `cached_at` is from before the write; the copy may reach the disk this much later, after others. */
const WRITE_DELAY_MS = 10_000;

export interface CenterSearchEngine {
  search(request: CopyRequest): Promise<CopyPage>;
  /** Reads the changes since the last snapshot. Until it ends, searches use that snapshot. */
  refresh(): Promise<void>;
}

interface CopiesSnapshot {
  facts: Map<string, CopyFacts>;
  index: CopyIndex;
  /** When its reading began, ms epoch. */
  read_at: number;
}

/** Searches the copies in IndexedDB. Texts and columns stay in memory, the records in the database. */
export function createCenterSearchEngine(): CenterSearchEngine {
  let last_build = buildSnapshot();
  // The next search builds it once more, and gets the error only if that fails too.
  last_build.catch(() => {});
  let current: CopiesSnapshot | null = null;
  void last_build.then(setCurrent, () => {});

  function setCurrent(snapshot: CopiesSnapshot): void {
    current = snapshot;
  }

  return {
    async search(request) {
      if (!current) {
        last_build = last_build.catch(buildSnapshot);
        setCurrent(await last_build);
      }
      return searchSnapshot(current ?? (await last_build), request);
    },
    async refresh() {
      // Sequential: an older snapshot must not overwrite a newer one.
      last_build = last_build.then(refreshSnapshot, buildSnapshot);
      setCurrent(await last_build);
    },
  };
}

async function searchSnapshot({ index }: CopiesSnapshot, request: CopyRequest): Promise<CopyPage> {
  const { found, ...page } = index.search(request.query, request);
  const copies = await readByIds(found.map(({ id }) => id));
  const items = found.flatMap(({ distance_km }, at) => {
    const copy = copies[at];
    return copy ? [{ ...copy.value, distance_km }] : [];
  });
  const loose = copies.flatMap((copy) => (copy && copy.pinned.length === 0 ? [copy.cached_at] : []));
  return {
    ...page,
    items,
    cached_at: findOldest(found.map(({ cached_at }) => cached_at)),
    loose_at: findOldest(loose),
    saved: index.size,
  };
}

function findOldest(times: readonly number[]): number | null {
  return times.length > 0 ? Math.min(...times) : null;
}

async function buildSnapshot(): Promise<CopiesSnapshot> {
  const read_at = Date.now();
  const facts = new Map<string, CopyFacts>();
  for await (const copy of iterateCopies()) facts.set(copy.value.id, toCopyFacts(copy));
  return { facts, index: indexCopies(facts.values()), read_at };
}

/**
 * Reads copies that are newer than the snapshot and drops removed ones; reads everything if the clock was set back.
 */
async function refreshSnapshot({
  facts: previous_facts,
  read_at: previous_read_at,
}: CopiesSnapshot): Promise<CopiesSnapshot> {
  const read_at = Date.now();
  // The clock was set back.
  if (read_at < previous_read_at) return buildSnapshot();
  const { store } = (await openCache()).transaction('sport_centers');
  const [fresh, ids] = await Promise.all([
    store.index('cached_at').getAll(IDBKeyRange.lowerBound(previous_read_at - WRITE_DELAY_MS)),
    store.getAllKeys(),
  ]);
  const facts_by_id = new Map([...previous_facts, ...fresh.map((copy) => [copy.value.id, toCopyFacts(copy)] as const)]);
  const facts = new Map<string, CopyFacts>();
  for (const id of ids) {
    const fact = facts_by_id.get(id);
    if (!fact) return buildSnapshot();
    facts.set(id, fact);
  }
  return { facts, index: indexCopies(facts.values()), read_at };
}

async function* iterateCopies(): AsyncGenerator<CenterCopy> {
  const database = await openCache();
  let range: IDBKeyRange | undefined;
  for (;;) {
    const copies = await database.getAll('sport_centers', range, CHUNK_SIZE);
    yield* copies;
    const last = copies.at(-1);
    if (!last || copies.length < CHUNK_SIZE) return;
    range = IDBKeyRange.lowerBound(last.value.id, true);
  }
}

async function readByIds(ids: readonly string[]): Promise<(CenterCopy | undefined)[]> {
  if (ids.length === 0) return [];
  const { store } = (await openCache()).transaction('sport_centers');
  return Promise.all(ids.map((id) => store.get(id)));
}
