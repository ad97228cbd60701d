import type { Op } from '@sendlap/contract/activities.ts';
import {
  isOverlapping,
  type MergeOp,
  mergedPause,
  mergedVisit,
  mergeOps,
  type Visit,
  visitOf,
} from '@sendlap/domain/recording/overlaps.ts';
import type { Pause } from '@sendlap/domain/recording/pauses.ts';
import { type ActivityDraft, CLOCK_UNSURE, type DeadOp } from '#web/shared/outbox/store/records.ts';
import type { OverlapResolution } from '#web/shared/outbox/store/resolve-overlap.ts';
import { type ActivityView, factsOf } from '../data/activity-view.ts';
import { findLongestFreeRange } from '../ops/edit.ts';

/** A refused activity, the activities at the same time, and what the athlete can choose. */
export interface Overlap {
  others: ActivityView[];
  /** null: they can't be one activity. */
  merge: Merge | null;
  /** The longest part of the refused activity that no other takes; `ended_at` null: it runs on. null: no part is free. */
  free_part: Visit | null;
}

interface Merge {
  /** The activity that contains both. */
  into: ActivityView;
  /** Ops of the other activity; null: it becomes part of the refused one, whose start the server has. */
  ops: MergeOp[] | null;
  /** The times of the one activity. */
  visit: Visit;
  /** The activity is confirmed, and the change drops that. */
  drops_proof: boolean;
}

/** Whether the server refused the activity because of another one of the athlete. */
export function isOverlapRefusal({ refusal }: Pick<ActivityView, 'refusal'>): boolean {
  const kind = refusal?.kinds[0];
  return refusal !== null && kind !== undefined && isOverlapOp({ kind, code: refusal.code });
}

export function isOverlapOp({ kind, code }: Pick<DeadOp, 'kind' | 'code'>): boolean {
  return (kind === 'start' || kind === 'finish') && isOverlapCode(code);
}

/** Whether the app holds the activity back, because only the athlete knows when it was. */
export function isClockUnsure({ code }: Pick<DeadOp, 'code'>): boolean {
  return code === CLOCK_UNSURE;
}

/**
 * Returns whether the server has the start of a refused activity: it began before the other one, so that only its end
 * was refused.
 */
function isStartKnown({ refusal }: ActivityView): boolean {
  return refusal !== null && !refusal.kinds.includes('start');
}

export function isOverlapCode(code: string | undefined): boolean {
  return code === 'activity_overlap' || code === 'activity_already_active';
}

/** Returns the activities at the time of this one, oldest first. A rejected activity takes no time, as on the server. */
export function listOverlapping(activity: ActivityView, activities: readonly ActivityView[]): ActivityView[] {
  const own = visitOf(activity);
  const isOther = ({ client_id, proof, status }: ActivityView) =>
    client_id !== activity.client_id && proof !== 'refused' && status !== 'rejected';
  return activities.filter((other) => isOther(other) && isOverlapping(own, visitOf(other))).reverse();
}

/** `activities`: newest start first. */
export function findOverlap(activity: ActivityView, activities: readonly ActivityView[]): Overlap {
  const others = listOverlapping(activity, activities);
  const [other] = others;
  return {
    others,
    merge: other && others.length === 1 ? planMerge(activity, other) : null,
    free_part: findFreePart(visitOf(activity), others.map(visitOf), isStartKnown(activity)),
  };
}

function planMerge(activity: ActivityView, other: ActivityView): Merge | null {
  const { sport_center_id, sport_type, distance_m, paused_s } = other;
  const is_validated = other.status === 'validated';
  const known = { ...visitOf(other), sport_center_id, sport_type, distance_m, paused_s, is_validated };
  const ops = mergeOps(known, { ...activity, ...visitOf(activity) });
  if (!ops) return null;
  const visit = mergedVisit(known, visitOf(activity));
  if (isStartKnown(activity)) {
    // Two can't run on the server, so the list is old: the other one has ended, at a time that this phone does not know.
    return visit.ended_at === null ? null : { into: activity, ops: null, visit, drops_proof: is_validated };
  }
  return { into: other, ops, visit, drops_proof: is_validated && ops.length > 0 };
}

function findFreePart(own: Visit, others: Visit[], keep_start: boolean): Visit | null {
  if (own.ended_at === null) {
    // It runs on after the last one, if that has ended.
    const ends = others.map(({ ended_at }) => ended_at);
    const is_free = ends.length > 0 && ends.every((end) => end !== null);
    return is_free ? { started_at: Math.max(...ends.map(Number)), ended_at: null } : null;
  }
  const range = (visit: Visit) => ({ from: visit.started_at, to: visit.ended_at ?? Number.POSITIVE_INFINITY });
  const free_range = findLongestFreeRange(range(own), others.map(range), keep_start);
  return free_range && { started_at: free_range.from, ended_at: free_range.to };
}

interface Context {
  newId: () => string;
  /** ISO 8601, by the server's clock. */
  now: string;
}

/** Returns the choice "one activity" as the outbox saves it. */
export function mergeResolution(
  activity: ActivityView,
  { others, merge }: Overlap & { merge: Merge },
  context: Context,
): OverlapResolution {
  const { into, ops, visit } = merge;
  if (ops === null) {
    const distance_m = Math.max(activity.distance_m ?? 0, ...others.map((other) => other.distance_m ?? 0));
    const end = visit.ended_at === null ? {} : { ended_at: toIso(visit.ended_at) };
    const paused_s = Math.max(0, ...others.map((other) => mergedPause(pausedVisitOf(activity), pausedVisitOf(other))));
    const facts = { ...(distance_m > 0 ? { distance_m } : {}), ...(paused_s > 0 ? { paused_s } : {}) };
    return { ops: deletionsOf(others, context), resend: { ...end, ...facts } };
  }
  const { client_id } = into;
  const facts = factsOf({ ...into, started_at: toIso(visit.started_at) });
  const draft = visit.ended_at === null ? mergedDraft(activity, into) : null;
  return {
    ops: ops.map((op) => ({ op: toOp(op, client_id, context), facts })),
    resend: null,
    ...(draft ? { draft: { client_id, facts, draft } } : {}),
  };
}

/** A distance is stored in whole metres, so lengths of 25 yd may have lost half a metre. */
const HALF_METRE = 0.5;

function pausedVisitOf(activity: ActivityView) {
  return { ...visitOf(activity), paused_s: activity.paused_s };
}

/**
 * Two phones count the same lengths: the higher number counts. Of pauses on the other phone only their sum is known: they
 * become one before its end, which the reopened activity would lose. null: nothing to note.
 */
function mergedDraft({ draft }: ActivityView, into: ActivityView): ActivityDraft | null {
  const rests = pausesBeforeEnd(into);
  if (!draft) {
    if (rests.length === 0 || into.draft?.pauses) return null;
    return { intensity: into.intensity, pool_length_m: 0, lengths: 0, ...into.draft, pauses: rests };
  }
  const pauses = [...rests, ...(draft.pauses ?? [])];
  const { pool_length_m: pool_m } = draft;
  const swum = pool_m > 0 ? Math.floor(((into.distance_m ?? 0) + HALF_METRE) / pool_m) : 0;
  const noted = into.draft?.pool_length_m === pool_m ? into.draft.lengths : 0;
  const lengths = Math.max(draft.lengths, swum, noted);
  return pauses.length > 0 ? { ...draft, lengths, pauses } : { ...draft, lengths };
}

function pausesBeforeEnd({ ended_at, paused_s }: ActivityView): Pause[] {
  if (ended_at === null || paused_s === 0) return [];
  const end_ms = Date.parse(ended_at);
  return [{ since: { at_ms: end_ms - paused_s * 1000 }, until: { at_ms: end_ms } }];
}

/** Returns the choice "only this phone's": the others are deleted, then this one is sent again. */
export function keepOwnResolution({ others }: Overlap, context: Context): OverlapResolution {
  return { ops: deletionsOf(others, context), resend: {} };
}

/** Returns the choice "only the other phone's". */
export function keepOtherResolution(activity: ActivityView, context: Context): OverlapResolution {
  return { ops: isStartKnown(activity) ? deletionsOf([activity], context) : [], resend: null };
}

function deletionsOf(activities: ActivityView[], { newId }: Context): OverlapResolution['ops'] {
  return activities.map((activity) => ({
    op: { kind: 'delete', op_id: newId(), client_id: activity.client_id },
    facts: factsOf(activity),
  }));
}

function toOp(op: MergeOp, client_id: string, { newId, now }: Context): Op {
  const ids = { client_id, op_id: newId() };
  const distance = 'distance_m' in op && op.distance_m !== undefined ? { distance_m: op.distance_m } : {};
  const pause = 'paused_s' in op && op.paused_s !== undefined ? { paused_s: op.paused_s } : {};
  switch (op.kind) {
    case 'reopen':
      return { kind: 'reopen', ...ids };
    case 'edit': {
      const start = op.started_at === undefined ? {} : { started_at: toIso(op.started_at) };
      const end = op.ended_at === undefined ? {} : { ended_at: toIso(op.ended_at) };
      return { kind: 'edit', ...ids, edited_at: now, ...start, ...end, ...pause, ...distance };
    }
  }
}

export function toIso(epoch_ms: number): string {
  return new Date(epoch_ms).toISOString();
}
