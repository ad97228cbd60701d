import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordAndScan } from '#test/scenes/clocked-scans.ts';
import { type ClockedWorld, FIRST_MOMENT, openClockedWorld, type Person } from '#test/scenes/clocked-world.ts';
import { selectValidationsGiven } from './store.ts';

const DAY_MS = 86_400_000;

let world: ClockedWorld;
let cold: Person;
beforeAll(async () => {
  world = await openClockedWorld();
  const [ada, rex] = [await world.makePerson('Ada'), await world.makePerson('Rex')];
  cold = await world.makePerson('Cold');
  await world.grant(rex, world.center);
  await recordAndScan(world, [ada, rex], FIRST_MOMENT + 2 * DAY_MS);
  // One referee of very many activities, written in batches that stay within the statement timeout.
  const { database } = world.api;
  for (let written = 0; written < 20_000; written += 1000) {
    await sql`
      insert into activities
      select r.* from (select * from activities where user_id = ${ada.id} order by started_at desc limit 1) a,
        generate_series(${written + 1}::int, ${written + 1000}) n, lateral jsonb_populate_record(null::activities,
        to_jsonb(a) || jsonb_build_object('id', gen_random_uuid(), 'decision_id', null,
          'started_at', a.started_at - n * interval '2 hours', 'ended_at', a.ended_at - n * interval '2 hours')) r`.execute(
      database,
    );
  }
  await sql`analyze activities`.execute(database);
  // Writing this much is slow on a busy machine.
}, 120_000);
afterAll(() => world.close());

test.each([['an athlete who confirmed nothing'], ['no athlete']])(
  'the confirmations of %s are read by an index, without a sequential scan',
  async (whose) => {
    const user_id = whose === 'no athlete' ? null : cold.id;
    const { sql: text } = sql`select ${selectValidationsGiven(user_id)}`.compile(world.api.database);
    await world.api.database.connection().execute(async (connection) => {
      await sql`set plan_cache_mode = force_generic_plan`.execute(connection);
      await sql`${sql.raw(`prepare given (uuid) as ${text}`)}`.execute(connection);
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain execute given (${user_id === null ? sql`null` : sql.lit(user_id)})`.execute(connection);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      await sql`deallocate given`.execute(connection);
      await sql`reset plan_cache_mode`.execute(connection);
      expect(plan).toContain('activities_by_decider');
      expect(plan).not.toContain('Seq Scan');
    });
  },
);
