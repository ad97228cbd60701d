import type { Activity } from '@sendlap/contract/activities.ts';
import { scoreOf } from './facts.ts';
import type { ActivityRow } from './store.ts';

/** Row → wire. `points` are those in the ledger; `potential_points` are those a confirmation would yield today. */
export function presentActivity(row: ActivityRow): Activity {
  const score = row.ended_at ? scoreOf(row, row.counted_minutes) : null;
  return {
    client_id: row.id,
    sport_center_id: row.sport_center_id,
    sport_center_name: row.sport_center_name,
    sport_type: row.sport_type,
    started_at: row.started_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    paused_s: row.paused_s ?? 0,
    status: row.status,
    validation: row.validation,
    points: row.points,
    potential_points: score?.points ?? 0,
    rule_version: row.rule_version,
    intensity: row.intensity,
    distance_m: row.distance_m,
    score,
    rejected_reason: row.status === 'rejected' ? row.rejected_reason : null,
    can_appeal: row.status === 'rejected' && row.appealed_at === null,
    appealed_at: row.appealed_at?.toISOString() ?? null,
    proof_note: row.proof_note,
  };
}
