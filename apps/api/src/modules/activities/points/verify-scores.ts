import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import { createEventWriter } from '#api/events/events.ts';
import { ALL_BOARDS_CHANGED } from '#api/modules/leaderboards/service.ts';
import { type ActivityRow, activitiesWithCenter, lockUsers } from '../record/store.ts';
import { compareDerived, type DerivedDifference, rebuildDerived } from './derived-rows.ts';
import { allotCountedMinutes, withPoints } from './redistribute-points.ts';

const PAGE_SIZE = 500;

export interface ScoreDifference {
  user_id: string;
  activity_id?: string;
  /**
   * `ledger`: entries against the activity; `rule`: points against rule and inputs; `minutes`: those counted for the
   * day; `decision`: withdrawn but still in force (1 instead of 0); `board`: a score of a week, season or all time.
   */
  what: 'ledger' | 'rule' | 'minutes' | 'decision' | DerivedDifference['what'];
  is: number;
  should_be: number;
}

/**
 * Re-sums the ledger, recomputes the score of every activity and board, and checks that decisions in force were not
 * withdrawn. Changes nothing; reads each user in one snapshot, so it may run beside a live server.
 */
export async function verifyScores(
  database: Database,
): Promise<{ activities: number; differences: ScoreDifference[] }> {
  const differences: ScoreDifference[] = [];
  let activities = 0;
  for await (const user_id of iterateScoredUsers(database)) {
    const found = await database
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((trx) => verifyUser(trx, user_id));
    activities += found.activities;
    differences.push(...found.differences);
  }
  return { activities, differences };
}

/**
 * Rebuilds derived data: points of activities from the ledger, their counted minutes from the day, and all board
 * scores: open weeks from the activities, final weeks from the ledger.
 */
export async function recomputeScores(database: Database): Promise<{ users: number; weeks: number; changed: number }> {
  let [users, weeks, changed] = [0, 0, 0];
  const events = createEventWriter(database);
  for await (const user_id of iterateScoredUsers(database)) {
    users += 1;
    await events.transact(async (trx) => {
      await lockUsers(trx, [user_id]);
      const resummed = await sql`
        update activities a set points = s.points, updated_at = now()
        from (select a.id, coalesce(sum(l.points), 0)::int as points from activities a
          left join score_ledger l on l.user_id = a.user_id and l.activity_id = a.id
          where a.user_id = ${user_id} group by a.id) s
        where a.user_id = ${user_id} and a.id = s.id and a.points <> s.points and a.status = 'validated'`.execute(trx);
      const rows = await activitiesWithCenter(trx).where('user_id', '=', user_id).execute();
      const mended = await correctCountedMinutes(trx, rows);
      const rebuilt = await rebuildDerived(trx, user_id, rows, new Date());
      if (rebuilt.changed > 0) events.publish(trx, [], [ALL_BOARDS_CHANGED]);
      weeks += rebuilt.weeks;
      changed += Number(resummed.numAffectedRows ?? 0n) + mended + rebuilt.changed;
    });
  }
  return { users, weeks, changed };
}

async function verifyUser(trx: Trx, user_id: string) {
  const rows = await activitiesWithCenter(trx).where('user_id', '=', user_id).execute();
  const differences: ScoreDifference[] = [];
  const { rows: sums } = await sql<{ activity_id: string; is: number; should_be: number }>`
    select a.id as activity_id, a.points as is, coalesce(sum(l.points), 0)::int as should_be
    from activities a left join score_ledger l on l.user_id = a.user_id and l.activity_id = a.id
    where a.user_id = ${user_id} group by a.id, a.points having a.points <> coalesce(sum(l.points), 0)`.execute(trx);
  differences.push(...sums.map((sum) => ({ ...sum, user_id, what: 'ledger' as const })));
  const shares = allotCountedMinutes(rows);
  for (const row of rows) differences.push(...differencesOf(row, withPoints(row, shares)));
  const withdrawn = await listWithdrawnInForce(trx, user_id);
  differences.push(
    ...withdrawn.map((activity_id) => ({ user_id, activity_id, what: 'decision' as const, is: 1, should_be: 0 })),
  );
  const derived = await compareDerived(trx, user_id, rows, new Date());
  differences.push(...derived.map((one) => ({ ...one, user_id })));
  return { activities: rows.length, differences };
}

/** Compares with the same activity as computed from its rule and day. */
function differencesOf(row: ActivityRow, computed: ActivityRow): ScoreDifference[] {
  const about = { user_id: row.user_id, activity_id: row.id };
  const [is, should_be] = [row.counted_minutes ?? 0, computed.counted_minutes ?? 0];
  return [
    ...(row.points === computed.points
      ? []
      : [{ ...about, what: 'rule' as const, is: row.points, should_be: computed.points }]),
    ...(is === should_be ? [] : [{ ...about, what: 'minutes' as const, is, should_be }]),
  ];
}

/** Lists activities whose decision in force was withdrawn. */
async function listWithdrawnInForce(trx: Trx, user_id: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('activities')
    .innerJoin('decisions', 'decisions.id', 'activities.decision_id')
    .select('activities.id')
    .where('user_id', '=', user_id)
    .where('withdrawn_at', 'is not', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** Corrects the counted minutes where they differ from the day's share; returns the number of corrected rows. */
async function correctCountedMinutes(trx: Trx, rows: ActivityRow[]): Promise<number> {
  const shares = allotCountedMinutes(rows);
  let mended = 0;
  for (const row of rows) {
    const { counted_minutes } = withPoints(row, shares);
    if (counted_minutes === row.counted_minutes) continue;
    await trx
      .updateTable('activities')
      .set({ counted_minutes, updated_at: new Date() })
      .where('user_id', '=', row.user_id)
      .where('id', '=', row.id)
      .execute();
    mended += 1;
  }
  return mended;
}

/**
 * Iterates page by page over every user with an activity, a confirmation made or a derived row. Each user is looked up
 * by an index: one `exists` over all of them would read whole tables for every page.
 */
async function* iterateScoredUsers(database: Database): AsyncGenerator<string> {
  let after = '00000000-0000-0000-0000-000000000000';
  while (true) {
    const { rows } = await sql<{ id: string }>`
      select id from users u
      cross join lateral (
        (select from activities where user_id = u.id order by user_id, started_at desc, id desc limit 1)
        union all
        (select from activities where decided_by = u.id order by decided_by, local_date limit 1)
        union all
        (select from board_scores where user_id = u.id order by user_id, period, sport, sport_center_id limit 1)
        union all
        (select from athlete_weeks where user_id = u.id order by user_id, week_key limit 1)
        limit 1) something
      where id > ${after}
      order by id limit ${PAGE_SIZE}`.execute(database);
    for (const { id } of rows) yield id;
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}
