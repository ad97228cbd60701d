import type { ActivityDetail, ProofAttempt } from '@sendlap/contract/activities.ts';
import { NAMELESS } from '@sendlap/domain/names.ts';
import { sql } from 'kysely';
import type { Database } from '#api/platform/database.ts';
import type { ActivityKey, ActivityRow } from '../store.ts';

interface AttemptRow {
  method: ProofAttempt['method'];
  decision: ProofAttempt['decision'];
  outcome: 'accepted' | 'waiting' | 'refused';
  code: string | null;
  reason: string | null;
  scanned_at: Date;
  scanner_id: string | null;
  name: string | null;
  distance_class: ProofAttempt['distance_class'];
  decision_id: string | null;
  withdrawn_at: Date | null;
}

/** Every attempt to prove an activity, in the order in which they came; one that waited stands there once. */
export async function listProofs(database: Database, row: ActivityRow): Promise<ProofAttempt[]> {
  const { rows } = await sql<AttemptRow>`
    select l.method, l.decision, l.outcome, l.code, l.reason, l.scanned_at, l.scanner_id, u.display_name as name,
      l.distance_class, d.id as decision_id, d.withdrawn_at
    from (
      select distinct on (scanner_id, op_id) * from validation_log
      where athlete_id = ${row.user_id} and activity_id = ${row.id}
      order by scanner_id, op_id, id desc
    ) l
    left join users u on u.id = l.scanner_id
    left join decisions d on d.athlete_id = l.athlete_id and d.activity_id = l.activity_id
      and d.op_id = l.op_id and d.scanner_id is not distinct from l.scanner_id
    order by l.id`.execute(database);
  return rows.map((each) => ({
    method: each.method,
    decision: each.decision,
    outcome: outcomeOf(each, row.decision_id),
    code: each.code,
    reason: each.reason,
    at: each.scanned_at.toISOString(),
    by: each.scanner_id === null ? null : (each.name ?? NAMELESS),
    distance_class: each.distance_class,
  }));
}

function outcomeOf(each: AttemptRow, in_force: string | null): ProofAttempt['outcome'] {
  if (each.outcome !== 'accepted') return each.outcome;
  if (each.withdrawn_at !== null) return 'withdrawn';
  return each.decision_id !== null && each.decision_id === in_force ? 'in_force' : 'overtaken';
}

/** Entries of the ledger about one activity, oldest first. */
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
