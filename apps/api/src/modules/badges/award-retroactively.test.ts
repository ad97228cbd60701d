import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordAndScan } from '#test/scenes/clocked-scans.ts';
import { type ClockedWorld, FIRST_MOMENT, openClockedWorld, type Person } from '#test/scenes/clocked-world.ts';
import { awardRetroactively } from './award-retroactively.ts';

const DAY_MS = 86_400_000;

let world: ClockedWorld;
let lower: Person;
let higher: Person;
beforeAll(async () => {
  world = await openClockedWorld();
  const people = [await world.makePerson('Ada'), await world.makePerson('Bea')].sort((a, b) => (a.id < b.id ? -1 : 1));
  const [first, second] = people;
  if (!first || !second) throw new Error('a user is missing');
  [lower, higher] = [first, second];
  const rex = await world.makePerson('Rex');
  await world.grant(rex, world.center);
  for (const who of people) await recordAndScan(world, [who, rex], FIRST_MOMENT + 2 * DAY_MS);
});
afterAll(() => world.close());

test('a deadlock with a step that gives the same badges in another order ends well for both', async () => {
  const { database } = world.api;
  const ids = [lower.id, higher.id];
  await database.deleteFrom('badges').where('user_id', 'in', ids).execute();
  const give = (user_id: string) => ({ user_id, badge: 'first_activity' as const, earned_at: new Date() });
  let awarding: Promise<unknown> | undefined;
  const step = database.transaction().execute(async (trx) => {
    await trx.insertInto('badges').values(give(higher.id)).execute();
    awarding = awardRetroactively(database);
    await expect.poll(() => isSomebodyWaiting()).toBe(true);
    await trx
      .insertInto('badges')
      .values(give(lower.id))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
  // PostgreSQL aborts one of the two; the op is retried by its caller.
  await step.catch(() => undefined);
  await awarding;
  const rows = await database.selectFrom('badges').select(['user_id', 'badge']).where('user_id', 'in', ids).execute();
  expect(rows).toHaveLength(4);
});

/** Looks only at this database: other tests run on the same server. */
async function isSomebodyWaiting(): Promise<boolean> {
  const { rows } = await sql<{ is_waiting: boolean }>`
    select exists (
      select from pg_locks join pg_stat_activity using (pid)
      where not granted and locktype = 'transactionid' and datname = current_database()
    ) as is_waiting`.execute(world.api.database);
  return rows[0]?.is_waiting ?? false;
}
