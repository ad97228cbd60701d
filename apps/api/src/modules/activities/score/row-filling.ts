import { sql } from 'kysely';
import { badgeAwards } from '#api/modules/badges/service.ts';
import { boardScores } from '#api/modules/leaderboards/service.ts';
import type { Database } from '#api/platform/database.ts';
import type { EventWriter } from '#api/platform/events.ts';
import { createPeriodicJob, type PeriodicJob } from '#api/platform/periodic-job.ts';
import { lockUsers } from '../store.ts';
import { rebuildDerived } from './derived-rows.ts';
import { readActivities, scoredUsers } from './scored-users.ts';

const INTERVAL_MS = 3_600_000;
/** Any number that no other lock of the database has. */
const LOCK_KEY = 7_305_113_905;

interface Filling {
  database: Database;
  events: EventWriter;
  now: () => Date;
}

interface FillingOptions extends Filling {
  log: { info(fields: object, text: string): void; warn(fields: object, text: string): void };
}

/**
 * The job that fills tables of derived rows for a database that is older than they are, one athlete at a time, so that
 * they go on being scored meanwhile. A run that was cut off begins anew; on several nodes only one works.
 */
export function createRowFilling(options: FillingOptions): PeriodicJob {
  return createPeriodicJob({
    interval_ms: INTERVAL_MS,
    work: () => runFilling(options),
    onDone: (athletes) => options.log.info({ athletes }, 'boards filled'),
    log: options.log,
    failure: 'filling the boards failed, it will be tried again',
  });
}

/** Gives how many athletes there were. The lock is held by a connection of its own. */
async function runFilling(filling: Filling): Promise<number> {
  const { database } = filling;
  const isWanted = async () => (await database.selectFrom('rows_to_derive').select('what').execute()).length > 0;
  if (!(await isWanted())) return 0;
  return database.connection().execute(async (holder) => {
    const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_lock(${LOCK_KEY}) as got`.execute(holder);
    if (!rows[0]?.got) return 0;
    try {
      // Another node may have done it before the lock was got.
      return (await isWanted()) ? await fillAll(filling) : 0;
    } finally {
      await sql`select pg_advisory_unlock(${LOCK_KEY})`.execute(holder);
    }
  });
}

async function fillAll({ database, events, now }: Filling): Promise<number> {
  let athletes = 0;
  for await (const user_id of scoredUsers(database)) {
    athletes += 1;
    await database.transaction().execute(async (trx) => {
      await lockUsers(trx, [user_id]);
      await rebuildDerived(trx, user_id, await readActivities(trx, user_id), now());
    });
  }
  await badgeAwards.toThePast(database);
  await events.transact(async (trx) => {
    await trx.deleteFrom('rows_to_derive').execute();
    events.tell(trx, [], [boardScores.broadcast]);
  });
  return athletes;
}
