import type { Op } from '@sendlap/contract/activities.ts';
import { nextState } from '@sendlap/domain/activity-states.ts';
import { hasDistance } from '@sendlap/domain/sports.ts';
import { redistributePoints, withDecisions } from '../points/redistribute-points.ts';
import {
  assertDistanceAllowed,
  assertNoOverlap,
  assertNotInFuture,
  assertPauseWithin,
  assertStartInRange,
  assertValidDuration,
  resolveCenterDay,
} from '../record/checks.ts';
import type { OpContext } from '../record/context.ts';
import { declaredFactsOf } from '../record/facts.ts';
import { refusalOf, rowOrThrow } from '../record/refusals.ts';
import type { ActivityRow, Facts, OpInputs } from '../record/store.ts';
import type { Change } from './stages.ts';

type EditOp = Extract<Op, { kind: 'edit' }>;

/**
 * Corrects the athlete's claim. Drops a confirmation scanned before the edit; a confirmation scanned after it keeps its
 * facts. An edit that changes nothing drops nothing.
 */
export function editActivity(context: OpContext, op: EditOp, found: OpInputs): Change {
  const before = rowOrThrow(found.row);
  const next = nextState(before.status, 'edit');
  if ('error' in next) throw refusalOf(next.error);
  const own = declaredFactsOf(before);
  const edited = editedFacts(context, before, own, op);
  if (JSON.stringify(edited) === JSON.stringify(own)) return { before, row: before };
  const now = context.now();
  const said = new Date(op.edited_at);
  assertNotInFuture(said, now);
  // The phone's clock may be ahead: without the clamp, scans until that time would count as before the edit.
  const edited_at = said < now ? said : now;
  const marked: ActivityRow = {
    ...before,
    ...venueAfter(before, edited),
    edited_at: before.edited_at && before.edited_at > edited_at ? before.edited_at : edited_at,
  };
  const row = withDecisions(marked, found.decisions, edited);
  assertNoOverlap(context.sport_centers, row, found.others);
  const redistribution = redistributePoints(before, row, found.others);
  const overtaken = found.decisions.find(({ id }) => id === before.decision_id && id !== row.decision_id);
  return { before, row: redistribution.row, redistribution, overtaken };
}

function editedFacts(context: OpContext, before: ActivityRow, own: Facts, op: EditOp): Facts {
  const is_of_end = op.ended_at !== undefined || op.paused_s !== undefined;
  if (is_of_end && before.status === 'active') throw refusalOf('activity_not_finished');
  const sport_type = op.sport_type ?? own.sport_type;
  assertDistanceAllowed(sport_type, op.distance_m);
  const facts: Facts = {
    ...own,
    sport_center_id: op.sport_center_id ?? own.sport_center_id,
    sport_type,
    started_at: op.started_at ?? own.started_at,
    ended_at: op.ended_at ?? own.ended_at,
    paused_s: (op.paused_s ?? own.paused_s) || null,
    intensity: op.intensity ?? own.intensity,
    distance_m: hasDistance(sport_type) ? (op.distance_m === undefined ? own.distance_m : op.distance_m) : null,
  };
  const started_at = new Date(facts.started_at);
  if (facts.started_at !== own.started_at) assertStartInRange(started_at, context.now());
  if (facts.ended_at !== null) {
    const ended_at = new Date(facts.ended_at);
    assertNotInFuture(ended_at, context.now());
    assertValidDuration(started_at, ended_at);
    assertPauseWithin({ started_at, ended_at, paused_s: facts.paused_s ?? null });
  }
  return isElsewhere(facts, own)
    ? { ...facts, ...resolveCenterDay(context.sport_centers, facts.sport_center_id, sport_type, started_at) }
    : facts;
}

/** Whether the center must be checked again: a center that has closed since must not block a change of intensity. */
function isElsewhere(facts: Facts, own: Facts): boolean {
  return (
    facts.sport_center_id !== own.sport_center_id ||
    facts.sport_type !== own.sport_type ||
    facts.started_at !== own.started_at
  );
}

/** Drops the kiosk scan of the start if the edit moves the activity to another center. */
function venueAfter(before: ActivityRow, edited: Facts): Partial<ActivityRow> {
  if (before.venue_started_at === null || edited.sport_center_id === before.sport_center_id) return {};
  return { venue_started_at: null, venue_start_code: null, proof_note: 'venue_other_center' };
}
