import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEventWriter } from '#api/platform/events.ts';
import { buildTestApp } from '#test/app.ts';
import { makeClimb, ScanScene } from '#test/scan-scene.ts';
import { createRowFilling } from './row-filling.ts';
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
  await sql`insert into rows_to_derive values ('boards') on conflict do nothing`.execute(database);
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
    await expect.poll(isPending, { timeout: 10_000 }).toBe(false);
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

test('a run that is cut off leaves the rest to the next', async () => {
  const { database } = scene.api;
  await sql`
    create function fail_for_a_test() returns trigger language plpgsql as $$
    begin if new.user_id = ${sql.lit(scene.athlete.user.id)}::uuid then raise exception 'cut'; end if; return new; end
    $$`.execute(database);
  await sql`create trigger fail_for_a_test before insert on board_scores for each row
    execute function fail_for_a_test()`.execute(database);
  try {
    await expect(makeJob().run()).rejects.toThrow('cut');
  } finally {
    await sql`drop function fail_for_a_test cascade`.execute(database);
  }
  expect(await isPending()).toBe(true);
  expect(await makeJob().run()).toBeGreaterThan(2);
  expect(await countDifferences()).toBe(0);
});
