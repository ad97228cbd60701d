import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase, type Trx } from '#api/database/database.ts';
import { createTestDatabase } from '#test/database/database.ts';
import { expectEverything, OVERALL_BOARD, readEverything } from '#test/rank-model.ts';
import { addAthlete, writeScore } from '#test/scenes/rank-rows.ts';
import { ALL_CENTERS, type Board, type Score } from './boards.ts';
import { createMemoryRanks, type MemoryRanks } from './memory-ranks.ts';
import { createRankIndex, type RankIndex } from './rank-index.ts';

const WEEK: Board = { period: '2026-W47', sport: 'climbing', sport_center_id: ALL_CENTERS };
const START_MS = Date.UTC(2026, 10, 16);
/** Disables polling: notifications alone must suffice. */
const NEVER_MS = 3_600_000;

let server: Awaited<ReturnType<typeof createTestDatabase>>;
let database: Database;
let store: MemoryRanks;
let index: RankIndex;
const warnings: string[] = [];
const log = { warn: (_: object, text: string) => void warnings.push(text) };

beforeAll(async () => {
  server = await createTestDatabase();
  database = openDatabase(server.url);
});
afterAll(async () => {
  await database.destroy();
  await server.drop();
});

beforeEach(async () => {
  await sql`truncate board_scores, board_changes, bio_info`.execute(database);
  warnings.length = 0;
  store = createMemoryRanks();
  index = createRankIndex({ database, store, log, poll_ms: NEVER_MS });
});
afterEach(() => index.close());

const addUser = () => addAthlete(database);

async function commit(user_id: string, points: number, board = OVERALL_BOARD, at_ms = START_MS): Promise<void> {
  await database.transaction().execute((trx) => writeScore(trx, user_id, points, board, at_ms));
  index.notifyChange();
}

/** Changes a user in a way that public boards follow: all their scores get a new version. */
async function changeVisibility(user_id: string, change: (trx: Trx) => Promise<unknown>): Promise<void> {
  await database.transaction().execute(async (trx) => {
    await change(trx);
    await sql`update board_scores set version = version + 1 where user_id = ${user_id}`.execute(trx);
    await trx.insertInto('board_changes').values({ user_id, periods: null }).execute();
  });
  index.notifyChange();
}

async function pointsOn(board: Board): Promise<number[]> {
  return (await index.readPage(board, 0, 100)).rows.map(({ points }) => points);
}

describe('the rank index', () => {
  it('returns an empty board without points', async () => {
    const user_id = await addUser();
    expect(await index.readPage(OVERALL_BOARD, 0, 10)).toEqual({ rows: [], total: 0 });
    expect(await index.readAround(OVERALL_BOARD, user_id, 3)).toEqual({
      rows: [],
      my_index: -1,
      next_points: null,
      total: 0,
    });
    expect(await index.rankOf(OVERALL_BOARD, 5)).toBe(1);
  });

  it('knows whatever was committed before it is asked', async () => {
    const [one, two] = [await addUser(), await addUser()];
    await commit(one, 100);
    expect(await pointsOn(OVERALL_BOARD)).toEqual([100]);
    for (let points = 1; points <= 30; points++) {
      await commit(two, 50 + 5 * points);
      await commit(two, points, WEEK);
      const { rows, my_index } = await index.readAround(OVERALL_BOARD, two, 3);
      expect(rows[my_index]).toMatchObject({ user_id: two, points: 50 + 5 * points, rank: points < 10 ? 2 : 1 });
      expect(await pointsOn(WEEK)).toEqual([points]);
    }
    await commit(two, 0);
    expect(await pointsOn(OVERALL_BOARD)).toEqual([100]);
  });

  it('misses no change of a transaction that stays open while others commit and boards are read', async () => {
    const [slow, quick] = [await addUser(), await addUser()];
    await commit(quick, 10);
    const open = await database.startTransaction().execute();
    await writeScore(open, slow, 70);
    expect(await pointsOn(OVERALL_BOARD)).toEqual([10]);
    for (const points of [20, 30, 40]) {
      await commit(quick, points);
      expect(await pointsOn(OVERALL_BOARD)).toEqual([points]);
    }
    expect(await pointsOn(WEEK)).toEqual([]);
    await open.commit().execute();
    index.notifyChange();
    expect(await pointsOn(OVERALL_BOARD)).toEqual([70, 40]);
  });

  it('misses no change that commits while a board is filled', async () => {
    const [one, two, three] = [await addUser(), await addUser(), await addUser()];
    await commit(one, 10);
    const open = await database.startTransaction().execute();
    await writeScore(open, two, 20);
    // The read has started but not returned: these commit at any moment of the filling.
    const asked = index.readPage(OVERALL_BOARD, 0, 10);
    const committed = [open.commit().execute().then(index.notifyChange), commit(three, 30), commit(one, 40)];
    await Promise.all([asked, ...committed]);
    expect(await pointsOn(OVERALL_BOARD)).toEqual([40, 30, 20]);
  });

  it('takes hidden users off all boards at once, and brings them back with their scores', async () => {
    const [one, two] = [await addUser(), await addUser()];
    await commit(one, 100);
    await commit(one, 60, WEEK);
    await commit(two, 50);
    expect(await pointsOn(OVERALL_BOARD)).toEqual([100, 50]);
    expect(await pointsOn(WEEK)).toEqual([60]);
    await changeVisibility(one, (trx) =>
      trx.updateTable('users').set({ boards: false }).where('id', '=', one).execute(),
    );
    expect([await pointsOn(OVERALL_BOARD), await pointsOn(WEEK)]).toEqual([[50], []]);
    await commit(one, 120);
    expect(await pointsOn(OVERALL_BOARD)).toEqual([50]);
    expect(await index.rankOf(OVERALL_BOARD, 120)).toBe(1);
    await changeVisibility(one, (trx) =>
      trx.updateTable('users').set({ boards: true }).where('id', '=', one).execute(),
    );
    expect([await pointsOn(OVERALL_BOARD), await pointsOn(WEEK)]).toEqual([[120, 50], [60]]);
  });

  it('fills boards without those who are hidden, too young or locked', async () => {
    const [shown, hidden, young, locked] = [await addUser(), await addUser(), await addUser(), await addUser()];
    await database.updateTable('users').set({ boards: false }).where('id', '=', hidden).execute();
    for (const [user_id, age] of [
      [young, 15],
      [shown, 16],
    ] as const) {
      const body = { weight_kg: 60, height_cm: 170, male: null, client_id: null };
      await database
        .insertInto('bio_info')
        .values({ id: randomUUID(), user_id, age, ...body })
        .execute();
    }
    await database.updateTable('users').set({ is_active: false }).where('id', '=', locked).execute();
    for (const [nth, user_id] of [shown, hidden, young, locked].entries()) await commit(user_id, 10 + nth);
    expect(await pointsOn(OVERALL_BOARD)).toEqual([10]);
  });

  it('takes erased users off every board', async () => {
    const [one, two] = [await addUser(), await addUser()];
    await commit(one, 100);
    await commit(two, 50);
    expect(await pointsOn(OVERALL_BOARD)).toEqual([100, 50]);
    await database.transaction().execute(async (trx) => {
      await trx.deleteFrom('board_scores').where('user_id', '=', one).execute();
      await trx.deleteFrom('users').where('id', '=', one).execute();
      await trx.insertInto('board_changes').values({ user_id: one, periods: null }).execute();
    });
    index.notifyChange();
    expect(await pointsOn(OVERALL_BOARD)).toEqual([50]);
  });

  it('fills a board again that was dropped', async () => {
    const user_id = await addUser();
    await commit(user_id, 10);
    expect(await pointsOn(OVERALL_BOARD)).toEqual([10]);
    store.clear();
    await commit(user_id, 20);
    expect(await pointsOn(OVERALL_BOARD)).toEqual([20]);
    await commit(user_id, 30);
    expect(await pointsOn(OVERALL_BOARD)).toEqual([30]);
  });

  it('starts over when the log is too long', async () => {
    const [one, two] = [await addUser(), await addUser()];
    await commit(one, 10);
    expect(await pointsOn(OVERALL_BOARD)).toEqual([10]);
    await database.transaction().execute(async (trx) => {
      await writeScore(trx, one, 20);
      await sql`insert into board_changes (user_id, periods)
        select ${one}, array['all'] from generate_series(1, 20001)`.execute(trx);
    });
    index.notifyChange();
    expect(await pointsOn(OVERALL_BOARD)).toEqual([20]);
    await commit(two, 30);
    expect(await pointsOn(OVERALL_BOARD)).toEqual([30, 20]);
  });

  it('refuses requests for yet more boards while very many wait to be filled, and none afterwards', async () => {
    const user_id = await addUser();
    await commit(user_id, 10);
    const boards = Array.from({ length: 150 }, (_, week) => ({ ...WEEK, period: `older ${week}` }));
    const asked = await Promise.allSettled(boards.map((board) => index.readPage(board, 0, 1)));
    const refused = asked.filter((one) => one.status === 'rejected');
    expect(asked.length - refused.length).toBeGreaterThanOrEqual(100);
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'unavailable', retry_after_s: 2 });
    expect(await pointsOn(OVERALL_BOARD)).toEqual([10]);
    await Promise.all(boards.slice(0, 90).map((board) => index.readPage(board, 0, 1)));
  });

  it('fills the named boards in advance', async () => {
    const user_id = await addUser();
    await commit(user_id, 10);
    await index.warm([OVERALL_BOARD, WEEK]);
    expect(store.rankOf(OVERALL_BOARD, 5)).toBe(2);
    expect(store.rankOf(WEEK, 5)).toBe(1);
    expect(warnings).toEqual([]);
  });

  it('agrees with the rows after many writers at once, hidings included', async () => {
    const users = await Promise.all(Array.from({ length: 12 }, addUser));
    const boards = [OVERALL_BOARD, WEEK];
    const writer = async (seed: number) => {
      for (let round = 0; round < 25; round++) {
        const user_id = users[(seed * 7 + round * 5) % users.length] ?? '';
        const board = boards[(seed + round) % 2];
        await commit(user_id, (seed * 31 + round * 17) % 40, board, START_MS + ((seed + round) % 3));
        if (round % 5 === seed) {
          await changeVisibility(user_id, (trx) =>
            sql`update users set boards = not boards where id = ${user_id}`.execute(trx),
          );
        }
        if (round === 9 && seed === 2) store.clear();
        await index.readAround(boards[round % 2] ?? OVERALL_BOARD, user_id, 3);
      }
    };
    await Promise.all([0, 1, 2, 3].map(writer));
    for (const board of boards) {
      const { rows } = await sql<Score>`
        select s.user_id, s.version, s.points, (extract(epoch from s.reached_at) * 1000)::int8 as reached_at_ms
        from board_scores s join users u on u.id = s.user_id
        where u.boards and s.period = ${board.period} and s.sport = ${board.sport}`.execute(database);
      expect(readEverything(await caughtUp(board), board, users, [0, 10, 39])).toEqual(
        expectEverything(rows, users, [0, 10, 39]),
      );
    }
  });
});

async function caughtUp(board: Board): Promise<MemoryRanks> {
  await index.rankOf(board, 0);
  return store;
}
