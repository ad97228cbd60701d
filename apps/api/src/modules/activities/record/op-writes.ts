import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Trx } from '#api/database/database.ts';
import { PREPARED_DEFERRED } from '#api/database/statement-pipeline.ts';
import type { Tables } from '#api/database/tables.ts';
import type { ScoreInputs } from './facts.ts';
import type { ActivityRow, DecisionRow } from './store.ts';

export interface LedgerEntry {
  user_id: string;
  activity_id: string;
  kind: 'validation' | 'allotment' | 'reversal';
  points: number;
  rule_version: string;
  inputs: ScoreInputs & { decision_id: string | null };
}

/** `on_boards`: counts on boards, because the entry's week was still open. */
export type LedgerRow = LedgerEntry & { on_boards: boolean };

export type ValidationEntry = Omit<Selectable<Tables['validation_log']>, 'id' | 'received_at'>;

export type OpEntry = Omit<Selectable<Tables['activity_ops']>, 'received_at'>;

/** Everything one op writes to this module's tables. */
export interface OpWrites {
  added?: ActivityRow[];
  /** At most one; its whole row is written. */
  changed?: ActivityRow[];
  /** The athlete's other activities whose share of the day's cap changed. */
  reallotted?: ActivityRow[];
  decided?: DecisionRow[];
  withdrawn?: DecisionRow[];
  ledger?: LedgerRow[];
  log?: ValidationEntry[];
  ops?: OpEntry[];
}

/** A data-modifying CTE of one statement: `name as (…)`. */
export type Cte = RawBuilder<unknown>;

const json = (rows: readonly object[]) => sql`${JSON.stringify(rows)}::jsonb`;

/**
 * Returns an op's writes as CTEs of one statement, without empty ones. The statement fails with 23P01 (exclusion
 * violation) if an activity overlaps another one, which only a writer without the lock can cause.
 */
export function opWriteCtes(writes: OpWrites): Cte[] {
  const { added, changed, reallotted, decided, withdrawn, ledger, log } = writes;
  const ops = writes.ops?.map((op) => ({ ...op, body_hash: `\\x${op.body_hash.toString('hex')}` }));
  const builders: [readonly object[] | undefined, (rows: readonly object[]) => Cte][] = [
    [added, insertActivities],
    [changed, updateActivity],
    [reallotted, updateReallotted],
    [
      decided,
      (rows) => sql`
      decided as (insert into decisions select * from jsonb_populate_recordset(null::decisions, ${json(rows)}))`,
    ],
    [
      withdrawn,
      (rows) => sql`
      withdrawn as (
        update decisions d set withdrawn_at = r.withdrawn_at, withdrawn_because = r.withdrawn_because
        from jsonb_populate_recordset(null::decisions, ${json(rows)}) r where d.id = r.id)`,
    ],
    [ledger, insertLedgerEntries],
    [log, insertValidationLog],
    [ops, insertOps],
  ];
  return builders.flatMap(([rows, toCte]) => (rows && rows.length > 0 ? [toCte(rows)] : []));
}

/** Runs the CTEs as one statement. An error is thrown by the transaction's next statement or commit. */
export async function runCtes(trx: Trx, ctes: Cte[]): Promise<void> {
  if (ctes.length > 0) await sql`${PREPARED_DEFERRED}with ${sql.join(ctes)} select 1`.execute(trx);
}

function insertActivities(rows: readonly object[]): Cte {
  return sql`
    added as (insert into activities select * from jsonb_populate_recordset(null::activities, ${json(rows)}))`;
}

function updateActivity(rows: readonly object[]): Cte {
  return sql`
    changed as (
      update activities a set
        sport_center_id = r.sport_center_id, sport_type = r.sport_type, started_at = r.started_at,
        ended_at = r.ended_at, paused_s = r.paused_s, status = r.status, validation = r.validation, intensity = r.intensity,
        intensity_confirmed = r.intensity_confirmed, distance_m = r.distance_m, points = r.points,
        counted_minutes = r.counted_minutes, rule_version = r.rule_version, local_date = r.local_date,
        week_key = r.week_key, validated_at = r.validated_at, decision_id = r.decision_id, decided_by = r.decided_by,
        rejection_id = r.rejection_id,
        declared = r.declared, edited_at = r.edited_at, appealed_at = r.appealed_at, appeal_reason = r.appeal_reason,
        rejected_reason = r.rejected_reason, venue_started_at = r.venue_started_at,
        venue_start_code = r.venue_start_code,
        venue_ended_at = r.venue_ended_at, proof_note = r.proof_note, updated_at = now()
      from jsonb_populate_record(null::activities, ${JSON.stringify(rows[0])}::jsonb) r
      where a.user_id = r.user_id and a.id = r.id)`;
}

function updateReallotted(rows: readonly object[]): Cte {
  return sql`
    reallotted as (
      update activities a set points = r.points, counted_minutes = r.counted_minutes, updated_at = now()
      from jsonb_populate_recordset(null::activities, ${json(rows)}) r
      where a.user_id = r.user_id and a.id = r.id)`;
}

function insertLedgerEntries(rows: readonly object[]): Cte {
  return sql`
    booked as (
      insert into score_ledger (user_id, activity_id, kind, points, rule_version, inputs, on_boards)
      select user_id, activity_id, kind, points, rule_version, inputs, on_boards
      from jsonb_populate_recordset(null::score_ledger, ${json(rows)}))`;
}

function insertValidationLog(rows: readonly object[]): Cte {
  return sql`
    logged as (
      insert into validation_log (athlete_id, activity_id, scanner_id, kiosk_id, op_id, method, decision, outcome, code,
        reason, scanned_at, clock_offset_ms, clock_age_ms, distance_class)
      select athlete_id, activity_id, scanner_id, kiosk_id, op_id, method, decision, outcome, code,
        reason, scanned_at, clock_offset_ms, clock_age_ms, distance_class
      from jsonb_populate_recordset(null::validation_log, ${json(rows)}))`;
}

function insertOps(rows: readonly object[]): Cte {
  return sql`
    kept_ops as (
      insert into activity_ops (user_id, op_id, activity_id, athlete_id, kind, body_hash, outcome, code, message)
      select user_id, op_id, activity_id, athlete_id, kind, body_hash, outcome, code, message
      from jsonb_populate_recordset(null::activity_ops, ${json(rows)}))`;
}
