import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Recorded, record, recordAndScan, scan, sendSteps } from '#test/clocked-scans.ts';
import { type ClockedWorld, FIRST_MOMENT, openClockedWorld } from '#test/clocked-world.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let world: ClockedWorld;
beforeAll(async () => {
  world = await openClockedWorld();
});
afterAll(() => world.close());

const at = (days: number, hours = 0) => FIRST_MOMENT + (days + 2) * DAY_MS + hours * HOUR_MS;

/** Holds a row until it is let go. */
async function hold(statement: ReturnType<typeof sql>): Promise<() => Promise<void>> {
  const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = world.api.database.transaction().execute(async (trx) => {
    await statement.execute(trx);
    held.resolve();
    await free.promise;
  });
  await held.promise;
  return () => {
    free.resolve();
    return holding;
  };
}

async function untilWaiting(count: number): Promise<void> {
  const { database } = world.api;
  const countWaiting = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database);
    return rows[0]?.count ?? 0;
  };
  await expect.poll(countWaiting).toBeGreaterThanOrEqual(count);
}

test('a scan that comes between the look for scanners and the locks is joined under the lock of its scanner', async () => {
  const [ada, bea, rex] = [await world.makePerson('Ada'), await world.makePerson('Bea'), await world.makePerson('Rex')];
  await world.grant(rex, world.center);
  for (let day = 0; day < 8; day += 1) await recordAndScan(world, [bea, rex], at(day));
  const { database } = world.api;
  await sql`insert into user_event_counters (user_id, last_seq) values (${rex.id}, 0) on conflict do nothing`.execute(
    database,
  );
  const ninth: Recorded = {
    client_id: randomUUID(),
    who: ada,
    center: world.center,
    sport_type: 'climbing',
    started_at: at(10),
    ended_at: at(10, 1),
    distance_m: null,
  };
  const tenth = await record(world, bea, at(10));

  const letAdaGo = await hold(sql`select from users where id = ${ada.id} for no key update`);
  const letRexBeTold = await hold(sql`select from user_event_counters where user_id = ${rex.id} for update`);
  const scanning = scan(world, rex, ninth, { outcome: 'waiting' });
  await untilWaiting(1);
  const stepping = sendSteps(world, ninth);
  await untilWaiting(2);
  await letAdaGo();
  await scanning;
  // The steps join the scan and are about to tell Rex, when he confirms another activity.
  await untilWaiting(1);
  const confirming = scan(world, rex, tenth);
  const is_kept_waiting = await Promise.race([confirming.then(() => false), untilWaiting(2).then(() => true)]);
  await letRexBeTold();
  await Promise.all([stepping, confirming]);

  expect(is_kept_waiting).toBe(true);
  const { data } = await world.call('GET', '/v1/badges', rex, at(11));
  const items = data.items as { id: string; earned_at: string | null }[];
  expect(items.find(({ id }) => id === 'official_10')?.earned_at).not.toBeNull();
});
