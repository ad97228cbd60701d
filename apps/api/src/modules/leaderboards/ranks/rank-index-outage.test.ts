import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, isDatabaseUnavailable, openDatabase } from '#api/database/database.ts';
import { createTestDatabase } from '#test/database/database.ts';
import { OVERALL_BOARD } from '#test/rank-model.ts';
import { addAthlete, writeScore } from '#test/scenes/rank-rows.ts';
import { openBreakableLine } from '#test/servers/breakable-line.ts';
import { createMemoryRanks, type MemoryRanks } from './memory-ranks.ts';
import { createRankIndex, type RankIndex } from './rank-index.ts';

/** Disables polling: notifications alone must suffice. */
const NEVER_MS = 3_600_000;

let server: Awaited<ReturnType<typeof createTestDatabase>>;
let line: Awaited<ReturnType<typeof openBreakableLine>>;
/** `far` uses the breakable line; `near` does not. */
let far: Database;
let near: Database;
let store: MemoryRanks;
let index: RankIndex;
const warnings: string[] = [];
const log = { warn: (_: object, text: string) => void warnings.push(text) };

beforeAll(async () => {
  server = await createTestDatabase();
  line = await openBreakableLine(server.url);
  near = openDatabase(server.url);
  far = openDatabase(line.url);
});
afterAll(async () => {
  await near.destroy();
  await far.destroy();
  await line.close();
  await server.drop();
});

beforeEach(() => {
  warnings.length = 0;
  store = createMemoryRanks();
  index = createRankIndex({ database: far, store, log, poll_ms: NEVER_MS });
});
afterEach(() => index.close());

describe('the rank index, when it loses sight of the log', () => {
  it('refuses to answer while the database is unreachable, and is right as soon as it is back', async () => {
    const user_id = await addAthlete(near);
    await writeScore(near, user_id, 1000);
    expect((await index.readPage(OVERALL_BOARD, 0, 1)).rows).toMatchObject([{ points: 1000 }]);
    await line.break();
    await writeScore(near, user_id, 2000);
    index.notifyChange();
    for (let time = 0; time < 3; time++) {
      const refusal = await index.readPage(OVERALL_BOARD, 0, 1).catch((error: unknown) => error);
      expect(isDatabaseUnavailable(refusal)).toBe(true);
    }
    expect(warnings).toHaveLength(1);
    await line.mend();
    expect((await index.readPage(OVERALL_BOARD, 0, 1)).rows).toMatchObject([{ points: 2000 }]);
  });

  it('continues to read the log after an outage, without a request', async () => {
    const user_id = await addAthlete(near);
    await index.rankOf(OVERALL_BOARD, 0);
    await line.break();
    await writeScore(near, user_id, 5000);
    index.notifyChange();
    await expect.poll(() => warnings.length).toBe(1);
    await line.mend();
    await expect.poll(() => store.rankOf(OVERALL_BOARD, 4999)).toBe(2);
  });

  it('fills a board again when the database went away during the fill', async () => {
    await writeScore(near, await addAthlete(near), 9000);
    const asked = index.readPage(OVERALL_BOARD, 0, 1).then(
      () => 'answered',
      () => 'refused',
    );
    await line.break();
    await asked;
    await line.mend();
    expect((await index.readPage(OVERALL_BOARD, 0, 1)).rows).toMatchObject([{ points: 9000 }]);
  });

  it('continues to read the log when no change was announced', async () => {
    const polling = createRankIndex({ database: near, store, log, poll_ms: 10 });
    const { total } = await polling.readPage(OVERALL_BOARD, 0, 1);
    await writeScore(near, await addAthlete(near), 10);
    await expect.poll(async () => (await polling.readPage(OVERALL_BOARD, 0, 1)).total).toBe(total + 1);
    await polling.close();
  });

  it('refuses every request once it is closed', async () => {
    const asked = index.readPage(OVERALL_BOARD, 0, 1).catch((error: unknown) => error);
    await index.close();
    const refusal = { code: 'unavailable' };
    expect(await index.readPage(OVERALL_BOARD, 0, 1).catch((error: unknown) => error)).toMatchObject(refusal);
    expect(await asked).toMatchObject(refusal);
  });
});
