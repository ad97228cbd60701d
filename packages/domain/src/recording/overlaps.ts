import { MAX_ACTIVITY_DURATION_MS } from '../scan-checks.ts';
import { activeMs } from '../scoring.ts';
import type { Sport } from '../sports.ts';

/** Times in ms epoch; `ended_at` null: it runs. */
export interface Visit {
  started_at: number;
  ended_at: number | null;
}

/** Returns the visit of an activity with the times of the wire. */
export function visitOf({ started_at, ended_at }: { started_at: string; ended_at: string | null }): Visit {
  return { started_at: Date.parse(started_at), ended_at: ended_at === null ? null : Date.parse(ended_at) };
}

/** An activity of which a phone knows the facts. */
export interface RecordedVisit extends Visit {
  sport_center_id: string;
  sport_type: Sport;
  distance_m: number | null;
  /** See `TimedActivity`; 0 while it runs. */
  paused_s: number;
}

/** How an activity that the server has becomes the one that contains another: the ops, in order, without their ids. */
export type MergeOp =
  | { kind: 'edit'; started_at?: number; ended_at?: number; distance_m?: number; paused_s?: number }
  | { kind: 'reopen' };

/** Returns whether the two share a moment, as [start, end); a running activity has no end. */
export function isOverlapping(one: Visit, other: Visit): boolean {
  return startsBeforeEnd(one, other) && startsBeforeEnd(other, one);
}

function startsBeforeEnd({ started_at }: Visit, { ended_at }: Visit): boolean {
  return ended_at === null || started_at < ended_at;
}

/** Returns the shortest visit that contains both. It runs while one of them runs: the end of the other one ends nothing. */
export function mergedVisit(one: Visit, other: Visit): Visit {
  const started_at = Math.min(one.started_at, other.started_at);
  const runs = one.ended_at === null || other.ended_at === null;
  return { started_at, ended_at: runs ? null : Math.max(one.ended_at ?? 0, other.ended_at ?? 0) };
}

/** Returns whether no minute of `visit` is outside of `merged`. */
export function containsVisit(merged: Visit, visit: Visit): boolean {
  const ends_later = merged.ended_at === null || (visit.ended_at !== null && visit.ended_at <= merged.ended_at);
  return merged.started_at <= visit.started_at && ends_later;
}

/**
 * Returns the ops that merge a refused activity into one that the server has (none if that contains it already), or
 * null: they differ in sport or center, do not overlap, are too long together, or a confirmed one would run again. The
 * longer distance counts; a longer pause alone changes nothing of a confirmed one.
 */
export function mergeOps(known: RecordedVisit & { is_validated: boolean }, refused: RecordedVisit): MergeOp[] | null {
  const is_same = known.sport_center_id === refused.sport_center_id && known.sport_type === refused.sport_type;
  const { started_at, ended_at } = mergedVisit(known, refused);
  const is_too_long = ended_at !== null && ended_at - started_at > MAX_ACTIVITY_DURATION_MS;
  if (!is_same || !isOverlapping(known, refused) || is_too_long) return null;
  if (ended_at === null && known.is_validated) return null;
  const start = started_at < known.started_at ? { started_at } : {};
  if (ended_at !== null) {
    const distance = (refused.distance_m ?? 0) > (known.distance_m ?? 0) ? { distance_m: refused.distance_m ?? 0 } : {};
    const changes = { ...start, ...(ended_at === known.ended_at ? {} : { ended_at }), ...distance };
    const paused_s = mergedPause(known, refused);
    const is_pause_kept = known.is_validated && Object.keys(changes).length === 0;
    return editOps(paused_s === known.paused_s || is_pause_kept ? changes : { ...changes, paused_s });
  }
  // Sent even if it changes nothing: the other phone may have finished it, and the answer tells.
  return known.ended_at === null ? [{ kind: 'edit', started_at }] : [{ kind: 'reopen' }, ...editOps(start)];
}

type PausedVisit = Visit & Pick<RecordedVisit, 'paused_s'>;

/**
 * Returns the seconds at rest of the activity that contains both; 0 while it runs. The longer pause counts, as two phones
 * paused for the same rest, and the whole is active no longer than the two together.
 */
export function mergedPause(one: PausedVisit, other: PausedVisit): number {
  const { started_at, ended_at } = mergedVisit(one, other);
  if (ended_at === null) return 0;
  const active_ms = activeVisitMs(one) + activeVisitMs(other);
  return Math.max(one.paused_s, other.paused_s, Math.floor((ended_at - started_at - active_ms) / 1000));
}

function activeVisitMs({ started_at, ended_at, paused_s }: PausedVisit): number {
  return ended_at === null ? 0 : activeMs({ started_at, ended_at, paused_s });
}

function editOps(changes: Omit<Extract<MergeOp, { kind: 'edit' }>, 'kind'>): MergeOp[] {
  return Object.keys(changes).length > 0 ? [{ kind: 'edit', ...changes }] : [];
}
