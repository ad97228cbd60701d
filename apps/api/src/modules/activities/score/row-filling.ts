import { sql } from 'kysely';
import { badgeAwards } from '#api/modules/badges/service.ts';
import { boardScores } from '#api/modules/leaderboards/service.ts';
import type { Database, Trx } from '#api/platform/database.ts';
import type { EventWriter } from '#api/platform/events.ts';
import { createPeriodicJob, type PeriodicJob } from '#api/platform/periodic-job.ts';
import { lockUsers } from '../store.ts';
import { rebuildDerived } from './derived-rows.ts';
import { readActivities, scoredUsers } from './scored-users.ts';

/** How soon is derived what a node of the version before scores while both run. */
const INTERVAL_MS = 600_000;
const FIRST_RETRY_MS = 5000;
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

/** Athletes with whom a run failed, and the wishes that it was for. */
interface Rest {
  wishes: number[];
  athletes: string[];
}

/**
 * The job that fills tables of derived rows for a database that is older than they are, one athlete at a time, so that
 * they go on being scored meanwhile. An athlete with whom it fails keeps it from no other, and is tried again alone after
 * seconds, then minutes. A run that was cut off begins anew; on several nodes only one works.
 */
export function createRowFilling(options: FillingOptions): PeriodicJob {
  const rest: Rest = { wishes: [], athletes: [] };
  return createPeriodicJob({
    interval_ms: INTERVAL_MS,
    retry_ms: (failures) => Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), INTERVAL_MS),
    work: () => runFilling(options, rest),
    onDone: (athletes) => options.log.info({ athletes }, 'boards filled'),
    log: options.log,
    failure: 'filling the boards failed, it will be tried again',
  });
}

/**
 * Gives how many athletes there were; throws where it failed with any of them. The lock is held by a connection of its own.
 */
async function runFilling(filling: Filling, rest: Rest): Promise<number> {
  const { database } = filling;
  if ((await readWishes(database)).length === 0) return 0;
  return database.connection().execute(async (holder) => {
    const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_lock(${LOCK_KEY}) as got`.execute(holder);
    if (!rows[0]?.got) return 0;
    try {
      // Another node may have done it before the lock was got.
      const wishes = await readWishes(database);
      return wishes.length > 0 ? await fillAll(filling, wishes, rest) : 0;
    } finally {
      await sql`select pg_advisory_unlock(${LOCK_KEY})`.execute(holder);
    }
  });
}

/** What they were made for was committed with them, so whoever reads them first derives from all of it. */
async function readWishes(database: Database): Promise<number[]> {
  const rows = await database.selectFrom('rows_to_derive').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
}

async function fillAll({ database, events, now }: Filling, wishes: number[], rest: Rest): Promise<number> {
  const is_rest = rest.athletes.length > 0 && wishes.every((id) => rest.wishes.includes(id));
  const failed: string[] = [];
  let athletes = 0;
  let cause: unknown;
  for await (const user_id of is_rest ? rest.athletes : scoredUsers(database)) {
    athletes += 1;
    try {
      await database.transaction().execute(async (trx) => {
        await lockUsers(trx, [user_id]);
        await completeLedger(trx, user_id);
        await rebuildDerived(trx, user_id, await readActivities(trx, user_id), now());
      });
    } catch (error) {
      failed.push(user_id);
      cause ??= error;
    }
  }
  if (failed.length < athletes) await badgeAwards.toThePast(database);
  await events.transact(async (trx) => {
    if (failed.length === 0) await sql`delete from rows_to_derive where id = any(${wishes}::int8[])`.execute(trx);
    events.tell(trx, [], [boardScores.broadcast]);
  });
  rest.wishes = wishes;
  rest.athletes = failed;
  if (failed.length > 0) throw new Error(`It failed with ${failed.length} of ${athletes} athletes`, { cause });
  return athletes;
}

/** Entries of nodes of the version before lack what boards of a final week are made of. */
async function completeLedger(trx: Trx, user_id: string): Promise<void> {
  await sql`
    update score_ledger l set inputs = l.inputs || jsonb_build_object(
      'week_key', a.week_key, 'validation', a.validation, 'validated_at', a.validated_at,
      'sport_type', a.sport_type, 'sport_center_id', a.sport_center_id)
    from activities a
    where l.user_id = ${user_id} and a.user_id = l.user_id and a.id = l.activity_id
      and not l.inputs ? 'week_key'`.execute(trx);
}
