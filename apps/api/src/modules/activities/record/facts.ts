import { requireRule, type Score, scoreActivity, type TimedActivity } from '@sendlap/domain/scoring.ts';
import type { ActivityRow, Facts } from './store.ts';

/** The facts in force, as the row has them now. */
export function factsOf(row: ActivityRow): Facts {
  return {
    sport_center_id: row.sport_center_id,
    sport_center_name: row.sport_center_name,
    sport_type: row.sport_type,
    started_at: row.started_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    paused_s: row.paused_s,
    intensity: row.intensity,
    intensity_confirmed: row.intensity_confirmed,
    distance_m: row.distance_m,
    local_date: row.local_date,
    week_key: row.week_key,
  };
}

/** The facts the athlete declared, regardless of a later proof. */
export function declaredFactsOf(row: ActivityRow): Facts {
  return row.declared
    ? { paused_s: null, ...(row.declared as Facts) }
    : { ...factsOf(row), intensity_confirmed: false };
}

/** Returns the row with these facts. */
export function withFacts(row: ActivityRow, { venue_codes: _codes, ...facts }: Facts): ActivityRow {
  return {
    ...row,
    ...facts,
    started_at: new Date(facts.started_at),
    ended_at: facts.ended_at === null ? null : new Date(facts.ended_at),
    paused_s: facts.paused_s ?? null,
  };
}

/** Returns the times of the row as the rules in `domain` use them; one that runs has lasted no time yet. */
export function timesOf({
  started_at,
  ended_at,
  paused_s,
}: Pick<ActivityRow, 'started_at' | 'ended_at' | 'paused_s'>): TimedActivity {
  const [start, end] = [started_at.getTime(), (ended_at ?? started_at).getTime()];
  return { started_at: start, ended_at: end, paused_s: paused_s ?? 0 };
}

/** Returns the row's score if `counted_minutes` of it count; with null only the activity's own cap applies. */
export function scoreOf(row: ActivityRow, counted_minutes: number | null): Score {
  return scoreActivity({
    rule_version: requireRule(row.rule_version),
    sport_type: row.sport_type,
    ...timesOf(row),
    intensity: row.intensity,
    intensity_confirmed: row.intensity_confirmed,
    distance_m: row.distance_m,
    distance_confirmed: row.validation === 'referee',
    ...(counted_minutes === null ? {} : { counted_minutes }),
  });
}

export interface ScoreInputs extends Omit<Facts, 'local_date' | 'sport_center_name'> {
  validation: ActivityRow['validation'];
  /** ISO text. */
  validated_at: string | null;
  score: Score | null;
}

/** All inputs needed to recompute a ledger entry and the boards of its week. */
export function scoreInputs(row: ActivityRow, score: Score | null): ScoreInputs {
  const { local_date: _date, sport_center_name: _name, ...facts } = factsOf(row);
  const { validation, validated_at } = row;
  return { ...facts, validation, validated_at: validated_at?.toISOString() ?? null, score };
}
