import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestDatabase } from '#test/database/database.ts';
import { OVERALL_BOARD } from '#test/rank-model.ts';
import { addAthlete, writeScore } from '#test/scenes/rank-rows.ts';
import { readLog, readLogEnd, readLogLag } from './read-log.ts';

let own: Awaited<ReturnType<typeof openTestDatabase>>;
let user_id: string;
beforeAll(async () => {
  own = await openTestDatabase();
});
afterAll(() => own.close());
beforeEach(async () => {
  user_id = await addAthlete(own.database);
});

/** The user has ten more scores, and one change covers all of them. */
async function changeAll(): Promise<void> {
  for (let week = 10; week < 20; week++) {
    await writeScore(own.database, user_id, week, { ...OVERALL_BOARD, period: `2026-W${week}` });
  }
  await sql`delete from board_changes`.execute(own.database);
  await own.database.insertInto('board_changes').values({ user_id, periods: null }).execute();
}

it('reads as many scores as it may', async () => {
  const start = await readLogEnd(own.database);
  await changeAll();
  const { changes } = await readLog(own.database, start, 10);
  expect(changes?.flatMap(({ scores }) => scores)).toHaveLength(10);
});

it('lags by the age of the oldest change that was not read, until it is read', async () => {
  const start = await readLogEnd(own.database);
  expect(await readLogLag(own.database, start)).toBe(0);
  for (const age of ['1 hour', '1 minute'])
    await sql`insert into board_changes (user_id, created_at) values (${user_id}, now() - ${age}::interval)`.execute(
      own.database,
    );
  const lag_s = (await readLogLag(own.database, start)) ?? 0;
  expect([lag_s >= 3_600, lag_s < 7_200]).toEqual([true, true]);
  const { next } = await readLog(own.database, start);
  expect(await readLogLag(own.database, next)).toBe(0);
  const [xid] = start.watermark.split(' ');
  expect(await readLogLag(own.database, { ...start, watermark: `${xid} of another server` })).toBeUndefined();
});

it('loses its place with one more, and continues after them', async () => {
  const start = await readLogEnd(own.database);
  await changeAll();
  const { changes, next } = await readLog(own.database, start, 9);
  expect(changes).toBeUndefined();
  await writeScore(own.database, user_id, 50);
  const later = await readLog(own.database, next, 9);
  expect(later.changes).toMatchObject([{ board: OVERALL_BOARD, scores: [{ user_id, points: 50 }] }]);
});

it('loses its place when reading takes too long, and continues after that', async () => {
  const start = await readLogEnd(own.database);
  await changeAll();
  const holder = await own.database.startTransaction().execute();
  await sql`lock table board_changes in access exclusive mode`.execute(holder);
  const { changes, next } = await own.database.connection().execute(async (reader) => {
    await sql`set statement_timeout = 200`.execute(reader);
    try {
      return await readLog(reader, start);
    } finally {
      await sql`reset statement_timeout`.execute(reader);
    }
  });
  await holder.rollback().execute();
  expect(changes).toBeUndefined();
  await writeScore(own.database, user_id, 50);
  expect((await readLog(own.database, next)).changes).toMatchObject([{ board: OVERALL_BOARD }]);
});
