import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEventWriter } from '#api/platform/events.ts';
import { buildTestApp } from '#test/app.ts';
import { makeClimb, ScanScene } from '#test/scan-scene.ts';
import { createRowFilling } from './row-filling.ts';
import { scoredUsers } from './scored-users.ts';
import { verifyScores } from './verify-scores.ts';

let scene: ScanScene;
beforeAll(async () => {
  scene = await ScanScene.open();
  for (let nth = 0; nth < 3; nth += 1) {
    await scene.renew();
    await confirmClimb(1);
    await confirmClimb(40);
  }
});
afterAll(() => scene.api.close());

async function confirmClimb(ended_minutes_ago: number): Promise<void> {
  const climb = makeClimb(30, ended_minutes_ago);
  await scene.record(climb);
  expect((await scene.validate(scene.referee, scene.codeOf(climb).payload)).data.outcome).toBe('accepted');
}

/** The statement by which the migration completes the ledger that it finds. */
function migrationOfLedger(): string {
  const migration = readFileSync(new URL('../../../migrations/008-ranks.sql', import.meta.url), 'utf8');
  const [statement] = /update score_ledger[^;]+;/.exec(migration) ?? [];
  if (!statement) throw new Error('the migration does not complete the ledger');
  return statement;
}

/** As a database is right after the update: what is derived is empty, and the ledger was completed. */
beforeEach(async () => {
  const { database } = scene.api;
  await sql`delete from board_scores`.execute(database);
  await sql`delete from athlete_weeks`.execute(database);
  await sql`update score_ledger set inputs = inputs - '{week_key,validation,validated_at}'::text[]`.execute(database);
  await sql.raw(migrationOfLedger()).execute(database);
  await sql`insert into rows_to_derive (what) values ('boards')`.execute(database);
});

const makeJob = () => {
  const { database } = scene.api;
  const log = { info() {}, warn() {} };
  return createRowFilling({ database, events: createEventWriter(database), now: () => new Date(), log });
};
const countDifferences = async () => (await verifyScores(scene.api.database)).differences.length;
const isPending = async () =>
  (await scene.api.database.selectFrom('rows_to_derive').select('what').execute()).length > 0;

test('a start on a database from before the boards fills them, and the next one has nothing to do', async () => {
  expect(await countDifferences()).toBeGreaterThan(0);
  const node = await buildTestApp({ database_url: scene.api.database_url });
  try {
    await expect.poll(isPending).toBe(false);
    expect(await countDifferences()).toBe(0);
    expect((await scene.readMyRow()).points).toBe(236);
    expect(await makeJob().run()).toBe(0);
  } finally {
    await node.close();
  }
});

test('of nodes that start at once one fills, and an athlete who is scored meanwhile loses nothing', async () => {
  const [done] = await Promise.all([
    Promise.all([makeJob().run(), makeJob().run(), makeJob().run()]),
    confirmClimb(80),
  ]);
  expect(done.filter((athletes) => athletes > 0)).toHaveLength(1);
  expect(await isPending()).toBe(false);
  expect(await countDifferences()).toBe(0);
});

/** From here on nothing of the athlete's boards can be written, until the promise's function is called. */
async function breakBoardsOf(user_id: string): Promise<() => Promise<unknown>> {
  const { database } = scene.api;
  await sql`
    create function fail_for_a_test() returns trigger language plpgsql as $$
    begin if new.user_id = ${sql.lit(user_id)}::uuid then raise exception 'cut'; end if; return new; end
    $$`.execute(database);
  await sql`create trigger fail_for_a_test before insert on board_scores for each row
    execute function fail_for_a_test()`.execute(database);
  return () => sql`drop function fail_for_a_test cascade`.execute(database);
}

/** In the order in which they are filled. */
async function listAthletes(): Promise<string[]> {
  const rows = await scene.api.database
    .selectFrom('activities')
    .select('user_id')
    .distinct()
    .orderBy('user_id')
    .execute();
  return rows.map(({ user_id }) => user_id);
}

async function countFilled(): Promise<number> {
  const rows = await scene.api.database.selectFrom('board_scores').select('user_id').distinct().execute();
  return rows.length;
}

test('an athlete with whom it fails keeps it from no other, and is tried again alone', async () => {
  const { database } = scene.api;
  const athletes = await listAthletes();
  const everybody = await Array.fromAsync(scoredUsers(database));
  const job = makeJob();
  const mend = await breakBoardsOf(athletes[0] ?? '');
  try {
    await expect(job.run()).rejects.toThrow(`failed with 1 of ${everybody.length} `);
    expect([await isPending(), await countFilled()]).toEqual([true, athletes.length - 1]);
    await expect(job.run()).rejects.toThrow('failed with 1 of 1 ');
  } finally {
    await mend();
  }
  expect(await job.run()).toBe(1);
  expect([await isPending(), await countDifferences()]).toEqual([false, 0]);
});

test('a start that fails with one goes on by itself', async () => {
  const mend = await breakBoardsOf(scene.athlete.user.id);
  const node = await buildTestApp({ database_url: scene.api.database_url });
  try {
    await expect.poll(countFilled).toBeGreaterThan(1);
    await mend();
    await expect.poll(isPending, { timeout: 20_000 }).toBe(false);
    expect(await countDifferences()).toBe(0);
  } finally {
    await node.close();
  }
});

test('what a node of the version before scores meanwhile reaches the boards with the next run', async () => {
  const { database } = scene.api;
  const user_id = scene.athlete.user.id;
  await makeJob().run();
  // Its own boards alone are written by such a node, and its entries of the ledger say less.
  await sql`delete from board_scores where user_id = ${user_id}`.execute(database);
  await sql`update score_ledger set inputs = inputs - '{week_key,validation,validated_at}'::text[]`.execute(database);
  await sql`
    insert into week_scores (user_id, week_key, sport, sport_center_id, points, reached_at)
    values (${user_id}, '2026-W47', 'all', ${scene.center}, 118, now())
    on conflict (week_key, sport, sport_center_id, user_id) do update
      set points = excluded.points, version = week_scores.version + 1`.execute(database);
  expect(await isPending()).toBe(true);
  expect(await makeJob().run()).toBeGreaterThan(2);
  expect([await isPending(), await countDifferences()]).toEqual([false, 0]);
  const { rows } = await sql`select 1 from score_ledger where not inputs ? 'week_key'`.execute(database);
  expect(rows).toEqual([]);
});

test('what such a node scores while rows are derived is derived once more', async () => {
  const { database } = scene.api;
  await sql`
    insert into week_scores (user_id, week_key, sport, sport_center_id, points, reached_at)
    values (${scene.athlete.user.id}, '2026-W46', 'all', ${scene.center}, 118, now())`.execute(database);
  // The last one waits, so that all others are done.
  const open = await database.startTransaction().execute();
  await sql`update users set name = name where id = ${(await listAthletes()).at(-1)}`.execute(open);
  const run = makeJob().run();
  await expect.poll(countFilled).toBeGreaterThan(0);
  await sql`update week_scores set version = version + 1`.execute(database);
  await open.commit().execute();
  expect(await run).toBeGreaterThan(2);
  expect(await isPending()).toBe(true);
  expect(await makeJob().run()).toBeGreaterThan(2);
  expect(await isPending()).toBe(false);
});
