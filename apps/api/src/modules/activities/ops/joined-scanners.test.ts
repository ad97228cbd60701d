import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Recorded, record, recordAndScan, scan, sendOps } from '#test/scenes/clocked-scans.ts';
import { type ClockedWorld, FIRST_MOMENT, openClockedWorld } from '#test/scenes/clocked-world.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let world: ClockedWorld;
beforeAll(async () => {
  world = await openClockedWorld();
});
afterAll(() => world.close());

const at = (days: number, hours = 0) => FIRST_MOMENT + (days + 2) * DAY_MS + hours * HOUR_MS;

/** Locks a row until `release`; `pid` is the backend that holds it. */
async function hold(statement: ReturnType<typeof sql>): Promise<{ pid: number; release: () => Promise<void> }> {
  const [held, free] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
  const holding = world.api.database.transaction().execute(async (trx) => {
    await statement.execute(trx);
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    held.resolve(rows[0]?.pid ?? 0);
    await free.promise;
  });
  const pid = await held.promise;
  return {
    pid,
    release: () => {
      free.resolve();
      return holding;
    },
  };
}

type Waiter = { pid: number; blockers: number[] };

/** Resolves once `is_there` holds for the backends waiting for a lock. */
async function untilWaiters(is_there: (waiters: Waiter[]) => boolean): Promise<void> {
  const readWaiters = async () => {
    const { rows } = await sql<Waiter>`
      select pid, pg_blocking_pids(pid) as blockers from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(world.api.database);
    return is_there(rows);
  };
  await expect.poll(readWaiters).toBe(true);
}

const untilWaiting = (count: number) => untilWaiters((waiters) => waiters.length >= count);
const untilBlockedBy = (pid: number) =>
  untilWaiters((waiters) => waiters.some(({ blockers }) => blockers.includes(pid)));

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

  const ada_lock = await hold(sql`select from users where id = ${ada.id} for no key update`);
  const rex_lock = await hold(sql`select from user_event_counters where user_id = ${rex.id} for update`);
  const scanning = scan(world, rex, ninth, { outcome: 'waiting' });
  await untilWaiting(1);
  const stepping = sendOps(world, ninth);
  await untilWaiting(2);
  await ada_lock.release();
  await scanning;
  // The ops have joined the scan and are about to notify Rex while he confirms another activity.
  await untilBlockedBy(rex_lock.pid);
  const confirming = scan(world, rex, tenth);
  const is_kept_waiting = await Promise.race([confirming.then(() => false), untilWaiting(2).then(() => true)]);
  await rex_lock.release();
  await Promise.all([stepping, confirming]);

  expect(is_kept_waiting).toBe(true);
  const { data } = await world.call('GET', '/v1/badges', rex, at(11));
  const items = data.items as { id: string; earned_at: string | null }[];
  expect(items.find(({ id }) => id === 'official_10')?.earned_at).not.toBeNull();
});
