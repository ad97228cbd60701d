import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDatabase } from '#test/database/database.ts';
import { OVERALL_BOARD } from '#test/rank-model.ts';
import { addAthlete, writeScore } from '#test/scenes/rank-rows.ts';
import { createMemoryRanks } from './memory-ranks.ts';
import { createLogPruning } from './prune-log.ts';
import { createRankIndex } from './rank-index.ts';

const log = { info() {}, warn() {} };

let own: Awaited<ReturnType<typeof openTestDatabase>>;
let user_id: string;
beforeAll(async () => {
  own = await openTestDatabase();
  user_id = await addAthlete(own.database);
});
afterAll(() => own.close());
beforeEach(() => sql`truncate board_changes`.execute(own.database));

async function addChange(hours: number): Promise<void> {
  await sql`insert into board_changes (user_id, periods, created_at)
    values (${user_id}, array[${String(hours)}], now() - make_interval(hours => ${hours}))`.execute(own.database);
}

async function listPeriods(): Promise<(string[] | null)[]> {
  const rows = await own.database.selectFrom('board_changes').select('periods').orderBy('xid').execute();
  return rows.map(({ periods }) => periods);
}

it('removes nothing from a log that is not a day old', async () => {
  const pruning = createLogPruning({ database: own.database, log });
  expect(await pruning.run()).toBe(0);
  await addChange(23);
  expect(await pruning.run()).toBe(0);
  expect(await listPeriods()).toEqual([['23']]);
});

it('replaces all changes older than a day by one mark, and moves it forward', async () => {
  const pruning = createLogPruning({ database: own.database, log });
  for (const hours of [50, 30, 25, 23, 0]) await addChange(hours);
  expect(await pruning.run()).toBe(3);
  expect(await pruning.run()).toBe(0);
  expect(await listPeriods()).toEqual([[], ['23'], ['0']]);
  await sql`update board_changes set created_at = created_at - interval '2 hours'`.execute(own.database);
  expect(await pruning.run()).toBe(2);
  expect(await listPeriods()).toEqual([[], ['0']]);
});

/** As if another cluster had assigned the log's transaction numbers, which this cluster reaches much later. */
async function numberHigher(): Promise<void> {
  await sql`update board_changes set xid = (xid::text::bigint + 5000000)::text::xid8`.execute(own.database);
}

it('removes changes of a dump that another cluster numbered higher, old or not', async () => {
  for (const hours of [50, 0]) await addChange(hours);
  await numberHigher();
  await addChange(1);
  await createLogPruning({ database: own.database, log }).run();
  expect(await listPeriods()).toEqual([['1']]);
});

it('lets readers continue despite such changes: boards are filled again once', async () => {
  await writeScore(own.database, user_id, 10);
  let clears = 0;
  const store = createMemoryRanks();
  const clear = async () => {
    clears += 1;
    await store.clear();
  };
  const index = createRankIndex({ database: own.database, store: { ...store, clear }, log, poll_ms: 3_600_000 });
  const points = async () => (await index.readPage(OVERALL_BOARD, 0, 5)).rows.map((row) => row.points);
  const before = await points();
  await addChange(0);
  await numberHigher();
  for (const more of [20, 30, 40]) {
    await writeScore(own.database, user_id, more);
    index.notifyChange();
    expect(await points()).toEqual([more, ...before.slice(1)]);
  }
  expect(clears).toBe(1);
  await index.close();
});

it('lets an up-to-date reader continue, and a reader that lags start over', async () => {
  const cleared: string[] = [];
  const index = (name: string) => {
    const store = createMemoryRanks();
    const watched = {
      ...store,
      clear: () => {
        cleared.push(name);
        store.clear();
      },
    };
    return createRankIndex({ database: own.database, store: watched, log, poll_ms: 3_600_000 });
  };
  const [awake, asleep] = [index('awake'), index('asleep')];
  const points = async (one: typeof awake) => (await one.readPage(OVERALL_BOARD, 0, 5)).rows.map((row) => row.points);
  await writeScore(own.database, user_id, 10);
  expect([await points(awake), await points(asleep)]).toEqual([[10], [10]]);
  const other = await addAthlete(own.database);
  await writeScore(own.database, other, 20);
  awake.notifyChange();
  expect(await points(awake)).toEqual([20, 10]);
  await sql`update board_changes set created_at = created_at - interval '25 hours'`.execute(own.database);
  await createLogPruning({ database: own.database, log }).run();
  await writeScore(own.database, user_id, 30);
  for (const one of [awake, asleep]) {
    one.notifyChange();
    expect(await points(one)).toEqual([30, 20]);
  }
  expect(cleared).toEqual(['asleep']);
  await Promise.all([awake.close(), asleep.close()]);
});
