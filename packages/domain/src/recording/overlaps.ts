import { MAX_ACTIVITY_DURATION_MS } from '../scan-checks.ts';
import type { Sport } from '../sports.ts';

/** Times in ms epoch; `ended_at` null: it runs. */
export interface Visit {
  started_at: number;
  ended_at: number | null;
}

/** An activity of which a phone knows the facts. */
export interface RecordedVisit extends Visit {
  sport_center_id: string;
  sport_type: Sport;
  distance_m: number | null;
}

/** How an activity that the server has becomes the one that contains another: the ops, in order, without their ids. */
export type MergeOp =
  | { kind: 'edit'; started_at?: number; ended_at?: number; distance_m?: number }
  | { kind: 'finish'; ended_at: number; distance_m?: number }
  | { kind: 'reopen' };

/** Returns whether the two share a moment, as [start, end); a running activity has no end. */
export function isOverlapping(one: Visit, other: Visit): boolean {
  return startsBeforeEnd(one, other) && startsBeforeEnd(other, one);
}

function startsBeforeEnd({ started_at }: Visit, { ended_at }: Visit): boolean {
  return ended_at === null || started_at < ended_at;
}

/**
 * Returns the shortest visit that contains both. Whether it still runs is what the refused one says: that is the phone
 * in the athlete's hand.
 */
export function mergedVisit(known: Visit, refused: Visit): Visit {
  const started_at = Math.min(known.started_at, refused.started_at);
  const ended_at = refused.ended_at === null ? null : Math.max(refused.ended_at, known.ended_at ?? 0);
  return { started_at, ended_at };
}

/**
 * Returns the ops that merge a refused activity into one that the server has; none if that contains it already. null:
 * they can't be one activity: another sport, another center, no common time, longer than an activity may be, or a
 * confirmed one that would run again. The longer distance counts: two phones counted the same lengths.
 */
export function mergeOps(known: RecordedVisit & { is_validated: boolean }, refused: RecordedVisit): MergeOp[] | null {
  const is_same = known.sport_center_id === refused.sport_center_id && known.sport_type === refused.sport_type;
  const { started_at, ended_at } = mergedVisit(known, refused);
  const is_too_long = ended_at !== null && ended_at - started_at > MAX_ACTIVITY_DURATION_MS;
  if (!is_same || !isOverlapping(known, refused) || is_too_long) return null;
  if (ended_at === null && known.is_validated) return null;
  const distance = (refused.distance_m ?? 0) > (known.distance_m ?? 0) ? { distance_m: refused.distance_m ?? 0 } : {};
  const start = started_at < known.started_at ? { started_at } : {};
  if (known.ended_at !== null && ended_at !== null) {
    return editOps({ ...start, ...(ended_at > known.ended_at ? { ended_at } : {}), ...distance });
  }
  // The start first: the length of an activity is checked when it is finished.
  const edits = editOps(start);
  if (ended_at !== null) return [...edits, { kind: 'finish', ended_at, ...distance }];
  return known.ended_at === null ? edits : [{ kind: 'reopen' }, ...edits];
}

function editOps(changes: Omit<Extract<MergeOp, { kind: 'edit' }>, 'kind'>): MergeOp[] {
  return Object.keys(changes).length > 0 ? [{ kind: 'edit', ...changes }] : [];
}
