import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildCenterScene, type CenterScene } from '#test/scenes/center-scene.ts';
import { loadSnapshot, type Snapshot } from './snapshot.ts';
import { createWordSearch, type WordSearch } from './word-search.ts';

const BUSY = { code: 'unavailable', status: 503, retry_after_s: 2 };

let scene: CenterScene;
let snapshot: Snapshot;
let words: WordSearch;

beforeAll(async () => {
  scene = await buildCenterScene(['Hall', 'Pool'].map((name) => ({ name, at: [41.4, 2.1], sports: ['climbing'] })));
  snapshot = await loadSnapshot(scene.database);
});

afterAll(async () => {
  snapshot.release();
  await scene.close();
});

beforeEach(() => {
  // A long wait limit: giving up is tested in platform/concurrency-limit.test.ts.
  words = createWordSearch(scene.database, 60_000);
});

/** Blocks statements about centers until the work is done. */
async function whileBlocked(work: () => Promise<void>): Promise<void> {
  await scene.database.transaction().execute(async (trx) => {
    await sql`lock table sport_centers in access exclusive mode`.execute(trx);
    await work();
  });
}

async function waitForStatements(count: number): Promise<void> {
  await expect.poll(async () => (await waitingStatements()).length).toBe(count);
}

async function waitingStatements(): Promise<{ query: string }[]> {
  const { rows } = await sql<{ query: string }>`
    select query, pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%get_byte%'
  `.execute(scene.database);
  return rows;
}

async function countOf(found: ReturnType<WordSearch['find']>): Promise<number> {
  return [...((await found) ?? [])].length;
}

describe('a search for words', () => {
  it('that the database gives up is refused for now, and works later', async () => {
    await whileBlocked(async () => {
      const search = expect(words.find(snapshot, { q: 'hall' })).rejects.toMatchObject(BUSY);
      await waitForStatements(1);
      await sql`
        select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%get_byte%'
      `.execute(scene.database);
      await search;
    });
    expect(await countOf(words.find(snapshot, { q: 'hall' }))).toBe(1);
  });

  it('is refused beyond three that run and ten that wait', async () => {
    const searches: Promise<unknown>[] = [];
    await whileBlocked(async () => {
      for (let at = 0; at < 13; at += 1) searches.push(words.find(snapshot, { q: `hall${at}` }));
      await waitForStatements(3);
      await expect(words.find(snapshot, { q: 'hall' })).rejects.toMatchObject(BUSY);
    });
    await Promise.all(searches);
  });

  it('sends no query for callers who have gone, unless another caller wants the same', async () => {
    const running: Promise<unknown>[] = [];
    const [gone, shared] = [new AbortController(), new AbortController()];
    let abandoned: Promise<void> | undefined;
    await whileBlocked(async () => {
      for (const q of ['a', 'b', 'c']) running.push(words.find(snapshot, { q }, new AbortController().signal));
      await waitForStatements(3);
      abandoned = expect(words.find(snapshot, { q: 'pool hall' }, gone.signal)).rejects.toMatchObject(BUSY);
      running.push(words.find(snapshot, { q: 'pool' }, shared.signal));
      running.push(words.find(snapshot, { q: 'pool' }, new AbortController().signal));
      gone.abort();
      shared.abort();
    });
    await abandoned;
    await Promise.all(running);
    expect(await countOf(words.find(snapshot, { q: 'pool' }))).toBe(1);
  });
});
