import type { ActivityDetail, ProofAttempt } from '@sendlap/contract/activities.ts';
import { DEFAULT_DISPLAY_NAME } from '@sendlap/domain/names.ts';
import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import type { ActivityKey, ActivityRow } from '../record/store.ts';

/** Keeps a detail page short, however often strangers scan. */
const MAX_LINES = 20;
/** Refusals of scanners who could not have decided: their identity, claims and scan time are not revealed. */
const NO_RIGHT_CODES = ['not_a_referee', 'sport_not_refereed', 'peer_too_new', 'peer_not_there', 'peer_cannot_decide'];

type AttemptRow = Omit<ProofAttempt, 'at'> & { scanned_at: Date };

/**
 * Lists the attempts to prove an activity in order of arrival: decisions in force, one line for all scanners without a
 * right, and the newest of the others. Only a scanner who decided is named and quoted. Decisions are read from their
 * own table: once two scanners are erased, the log lines no longer tell them apart.
 */
export async function listProofs(database: Database, row: ActivityRow): Promise<ProofAttempt[]> {
  const of_activity = sql`athlete_id = ${row.user_id} and activity_id = ${row.id}`;
  const { rows } = await sql<AttemptRow>`
    with log as (select * from validation_log where ${of_activity}),
    decided as (
      -- A kiosk's proof may count as a friend's does.
      select case when scanner_id is null then 'venue' else d.method end as method, d.decision,
        case when withdrawn_at is not null then 'withdrawn' when d.id = ${row.decision_id} then 'in_force'
          when d.decision = 'confirm' and d.scanned_at < ${row.edited_at} then 'edited'
          when d.decision = 'reject' and d.scanned_at < ${row.appealed_at} then 'appealed'
          else 'overtaken' end as outcome,
        null as code, d.reason, d.scanned_at,
        case when scanner_id is not null then coalesce(u.display_name, ${DEFAULT_DISPLAY_NAME}) end as by,
        coalesce((select distance_class from log l where l.outcome = 'accepted' and l.method = d.method
          and l.decision = d.decision and l.scanned_at = d.scanned_at limit 1), 'unknown') as distance_class,
        1 as count, d.received_at, d.id = ${row.decision_id} as is_first
      from decisions d left join users u on u.id = d.scanner_id where ${of_activity}
    ), undecided as (
      select method, decision, outcome, code, null as reason, scanned_at, null as by, distance_class, 1 as count,
        received_at, false as is_first
      from log l
      where (outcome = 'refused' and code <> all(${NO_RIGHT_CODES}))
        or (outcome = 'waiting' and ((method = 'venue' and ${row.status === 'active'}) or exists (
          select from waiting_scans w where w.scanner_id = l.scanner_id and w.op_id = l.op_id)))
    ), no_right as (
      select null as method, (array_agg(decision order by id desc))[1] as decision, 'refused' as outcome,
        (array_agg(code order by id desc))[1] as code, null as reason, max(received_at) as scanned_at, null as by,
        'unknown' as distance_class, count(*)::int as count, max(received_at) as received_at, true as is_first
      from log where outcome = 'refused' and code = any(${NO_RIGHT_CODES}) having count(*) > 0
    ), attempt as (
      select * from decided union all select * from undecided union all select * from no_right
      order by is_first desc nulls last, received_at desc limit ${MAX_LINES}
    )
    select method, decision, outcome, code, reason, scanned_at, by, distance_class, count
    from attempt order by received_at`.execute(database);
  return rows.map(({ scanned_at, ...attempt }) => ({ ...attempt, at: scanned_at.toISOString() }));
}

/** Lists the ledger entries of one activity, oldest first. */
export async function listLedger(
  database: Database,
  { athlete_id, activity_id }: ActivityKey,
): Promise<ActivityDetail['ledger']> {
  const rows = await database
    .selectFrom('score_ledger')
    .select(['kind', 'points', 'rule_version', 'created_at'])
    .where('user_id', '=', athlete_id)
    .where('activity_id', '=', activity_id)
    .orderBy('id')
    .execute();
  return rows.map(({ created_at, ...entry }) => ({ ...entry, at: created_at.toISOString() }));
}
