import { type Decision, decisionInForce, openRejection } from '@sendlap/domain/decision-in-force.ts';
import { isVenueLimit } from '@sendlap/domain/proof/fair-proof.ts';
import { activeMinutes, allotDay } from '@sendlap/domain/scoring.ts';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { declaredFactsOf, scoreInputs, scoreOf, timesOf, withFacts } from '../record/facts.ts';
import type { LedgerEntry } from '../record/op-writes.ts';
import type { ActivityRow, DecisionRow, Facts } from '../record/store.ts';

/** A decision in the form that the rules in `domain` use. */
export function toDecision(row: DecisionRow): Decision & { id: string } {
  return {
    id: row.id,
    op_id: row.op_id ?? row.id,
    method: row.method,
    decision: row.decision,
    // All erased users share one user id but are different people.
    scanner_id: row.scanner_id === DELETED_USER_ID ? row.id : row.scanner_id,
    scanned_at_ms: row.scanned_at.getTime(),
    step: row.step,
    received_at_ms: row.received_at.getTime(),
    withdrawn_at_ms: row.withdrawn_at?.getTime() ?? null,
  };
}

export function historyOf(row: ActivityRow) {
  return {
    edited_at_ms: row.edited_at?.getTime() ?? null,
    appealed_at_ms: row.appealed_at?.getTime() ?? null,
  };
}

/**
 * Returns the row with these decisions applied (status, proof, the facts that count), its points not yet recomputed.
 * `declared`: the athlete's own facts, if they change. A deleted activity keeps the rejection that was in force.
 */
export function withDecisions(
  row: ActivityRow,
  decisions: DecisionRow[],
  declared: Facts = declaredFactsOf(row),
): ActivityRow {
  const undecided: ActivityRow = {
    ...withFacts(row, declared),
    validation: 'none',
    intensity_confirmed: false,
    validated_at: null,
    counted_minutes: null,
    decision_id: null,
    decided_by: null,
    declared: null,
    rejection_id: openRejection(decisions.map(toDecision), historyOf(row))?.id ?? null,
    rejected_reason: null,
    proof_note: isVenueLimit(row.proof_note) ? null : row.proof_note,
  };
  if (row.status === 'active') return undecided;
  const is_deleted = row.status === 'deleted';
  const in_force_id = decisionInForce(decisions.map(toDecision), historyOf(row))?.id;
  const in_force = decisions.find(({ id }) => id === in_force_id);
  if (!in_force) return { ...undecided, status: is_deleted ? 'deleted' : 'finished' };
  const decision_fields = { decision_id: in_force.id, decided_by: in_force.scanner_id };
  if (in_force.decision === 'reject') {
    const status = is_deleted ? 'deleted' : 'rejected';
    return { ...undecided, ...decision_fields, status, rejected_reason: in_force.reason };
  }
  if (is_deleted) return undecided;
  return {
    ...withFacts(undecided, in_force.facts),
    ...decision_fields,
    status: 'validated',
    validation: in_force.method,
    validated_at: in_force.scanned_at,
    declared,
    // Why a kiosk's proof counts less is of no use once another proof is in force.
    proof_note: in_force.scanner_id === null ? row.proof_note : undecided.proof_note,
    counted_minutes: row.decision_id === in_force.id ? row.counted_minutes : null,
  };
}

export interface Redistribution {
  row: ActivityRow;
  /** Other activities whose counted minutes or points changed. */
  reallotted: ActivityRow[];
  ledger: LedgerEntry[];
  /** Weeks whose scores may have changed, with all validated activities of each. */
  weeks: { week_key: string; activities: ActivityRow[] }[];
}

/**
 * Recomputes the points after an activity became `row`: its old and new day's minutes are allotted again among the
 * validated activities, and every difference is a ledger entry, so the order in which proofs arrive never matters.
 * `others`: the athlete's other activities of these days and weeks.
 */
export function redistributePoints(before: ActivityRow, row: ActivityRow, others: ActivityRow[]): Redistribution {
  if (before.status !== 'validated' && row.status !== 'validated')
    return { row, reallotted: [], ledger: [], weeks: [] };
  const changed_days = new Set([before.local_date, row.local_date]);
  const minutes_by_id = allotCountedMinutes([...others, row].filter(({ local_date }) => changed_days.has(local_date)));
  const after = withPoints({ ...row, points: before.points }, minutes_by_id);
  const ledger = ledgerEntriesOf(before, after);
  const reallotted: ActivityRow[] = [];
  const others_after = others.map((other) => {
    if (!changed_days.has(other.local_date) || other.status !== 'validated') return other;
    const next = withPoints(other, minutes_by_id);
    if (next.points === other.points && next.counted_minutes === other.counted_minutes) return other;
    reallotted.push(next);
    ledger.push(toLedgerEntry(next, 'allotment', next.points - other.points));
    return next;
  });
  const week_keys = [...new Set([before.week_key, after.week_key])];
  const validated = [...others_after, after].filter(({ status }) => status === 'validated');
  const weeks = week_keys.map((week_key) => ({
    week_key,
    activities: validated.filter((one) => one.week_key === week_key),
  }));
  return { row: after, reallotted, ledger, weeks };
}

/** Allots each day's minutes among its validated activities; returns the counted minutes by activity id. */
export function allotCountedMinutes(rows: ActivityRow[]): Map<string, number> {
  const minutes_by_id = new Map<string, number>();
  const days = Map.groupBy(
    rows.filter(({ status }) => status === 'validated'),
    ({ local_date }) => local_date,
  );
  for (const day of days.values()) {
    const list = day.map((row) => ({
      id: row.id,
      started_at: row.started_at.getTime(),
      minutes: activeMinutes(timesOf(row)),
    }));
    for (const [id, minutes] of allotDay(list)) minutes_by_id.set(id, minutes);
  }
  return minutes_by_id;
}

/** Returns the row with the points of its counted minutes; zero points unless validated. */
export function withPoints(row: ActivityRow, minutes_by_id: Map<string, number>): ActivityRow {
  if (row.status !== 'validated') return { ...row, points: 0, counted_minutes: null };
  const score = scoreOf(row, minutes_by_id.get(row.id) ?? 0);
  return { ...row, points: score.points, counted_minutes: score.counted_minutes, rule_version: score.rule_version };
}

/** A new decision in force reverses the previous decision's points in full, then books its own. */
function ledgerEntriesOf(before: ActivityRow, after: ActivityRow): LedgerEntry[] {
  const is_same = before.decision_id === after.decision_id;
  if (before.status === 'validated' && after.status === 'validated' && is_same) {
    const difference = after.points - before.points;
    return difference === 0 ? [] : [toLedgerEntry(after, 'allotment', difference)];
  }
  const entries: LedgerEntry[] = [];
  if (before.status === 'validated') entries.push(toLedgerEntry(before, 'reversal', -before.points));
  if (after.status === 'validated') entries.push(toLedgerEntry(after, 'validation', after.points));
  return entries;
}

function toLedgerEntry(row: ActivityRow, kind: LedgerEntry['kind'], points: number): LedgerEntry {
  const score = kind === 'reversal' ? null : scoreOf(row, row.counted_minutes ?? 0);
  return {
    user_id: row.user_id,
    activity_id: row.id,
    kind,
    // Avoids -0.
    points: points === 0 ? 0 : points,
    rule_version: row.rule_version,
    inputs: { ...scoreInputs(row, score), decision_id: row.decision_id },
  };
}
