import { randomUUID } from 'node:crypto';
import { isoWeekKey, localDate } from '@sendlap/domain/dates.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import { PREPARED } from '#api/database/statement-pipeline.ts';
import { recomputeScores } from '#api/modules/activities/points/verify-scores.ts';
import { runCtes } from '#api/modules/activities/record/op-writes.ts';
import { lockUsers } from '#api/modules/activities/record/store.ts';
import {
  awardForOp,
  type BadgeInputsJson,
  type BadgeTrigger,
  parseBadgeInputs,
  selectBadgeInputs,
} from '#api/modules/badges/award.ts';
import { boardCtes, type ScoredWeek } from '#api/modules/leaderboards/board-scores.ts';
import { ALL_CENTERS } from '#api/modules/leaderboards/ranks/boards.ts';

/** Milliseconds of transactions that differ only in the writes of ranks and badges, and the rows touched by one. */
export interface WriteTimes {
  without_ms: number[];
  with_ms: number[];
  rows: number;
}

type Week = ScoredWeek & BadgeTrigger['weeks'][number];

/** Times what a validation adds to its transaction: scores of all boards, the log, the athlete's week and badges. */
export async function timeWrites(
  database: Database,
  user_ids: string[],
  { center, scanner_id }: { center: string; scanner_id: string },
): Promise<WriteTimes> {
  const times: WriteTimes = { without_ms: [], with_ms: [], rows: 0 };
  const at = new Date();
  for (const [nth, user_id] of user_ids.entries()) {
    // Different points each time, so that every score changes even if it is the same athlete again.
    const weeks = [weekOf(user_id, { center, at, points: 300 + nth })];
    const run = async (kind: 'with_ms' | 'without_ms') => {
      const began_at = performance.now();
      await database.transaction().execute(async (trx) => {
        await lockUsers(trx, [user_id]);
        const parts = kind === 'with_ms' ? await decide(trx, { user_id, scanner_id, weeks, at }) : [];
        await runCtes(trx, [...parts, sql`nothing as (select 1)`]);
      });
      times[kind].push(performance.now() - began_at);
    };
    await run('without_ms');
    await run('with_ms');
    const { rows } = await sql<{ rows: number }>`
      select count(*)::int as rows from board_scores b
      where user_id = ${user_id} and xmin = (select xmin from board_scores a
        where a.user_id = b.user_id and period = 'all' and sport = 'all' and sport_center_id = ${ALL_CENTERS})
    `.execute(database);
    times.rows = Math.max(times.rows, rows[0]?.rows ?? 0);
  }
  return times;
}

interface Decided {
  user_id: string;
  scanner_id: string;
  weeks: Week[];
  at: Date;
}

/** Reads the inputs of badges, which an op reads with all else. Returns what must be written. */
async function decide(trx: Trx, { user_id, scanner_id, weeks, at }: Decided): Promise<RawBuilder<unknown>[]> {
  const { rows } = await sql<BadgeInputsJson>`${PREPARED}
    select ${selectBadgeInputs(user_id, scanner_id ?? null, true)}`.execute(trx);
  const [found] = rows;
  if (!found) throw new Error('a select without a table gives one row');
  const step = { athlete_id: user_id, weeks, confirmed_by: scanner_id, at };
  return [...boardCtes(user_id, weeks, at), ...awardForOp(parseBadgeInputs(found), step).ctes];
}

function weekOf(user_id: string, { center, at, points }: { center: string; at: Date; points: number }): Week {
  const week_key = isoWeekKey(localDate(at.getTime(), 'UTC'));
  const activity = {
    id: randomUUID(),
    user_id,
    sport_center_id: center,
    sport_type: 'climbing' as const,
    validation: 'referee' as const,
    status: 'validated' as const,
    started_at: new Date(at.getTime() - 5_400_000),
    ended_at: at,
    paused_s: null,
    local_date: at.toISOString().slice(0, 10),
    distance_m: null,
    points,
    validated_at: at,
  };
  return { week_key, activities: [activity] };
}

/** Creates so many validated activities of an athlete, one every twelve hours, and everything derived from them. */
export async function makeHistory(database: Database, user_id: string, center: string, count: number): Promise<void> {
  await sql`
    insert into activities (id, user_id, sport_center_id, sport_type, started_at, ended_at, status, validation, intensity,
      points, counted_minutes, rule_version, local_date, week_key, validated_at)
    select gen_random_uuid(), ${user_id}, ${center}, case when nth % 2 = 0 then 'climbing' else 'swimming' end, start,
      start + interval '1 hour', 'validated', 'referee', 'moderate', case when nth % 2 = 0 then 236 else 441 end, 60,
      'met-1', start::date, to_char(start, 'IYYY-"W"IW'), start + interval '1 hour'
    from generate_series(1, ${count}::int) nth, lateral (select now() - nth * interval '12 hours' as start) s
  `.execute(database);
  await sql`
    insert into score_ledger (user_id, activity_id, kind, points, rule_version, inputs)
    select user_id, id, 'validation', points, rule_version, jsonb_build_object('sport_type', sport_type,
      'sport_center_id', sport_center_id, 'week_key', week_key, 'validation', validation, 'validated_at', validated_at)
    from activities where user_id = ${user_id}
  `.execute(database);
  await recomputeScores(database);
}
