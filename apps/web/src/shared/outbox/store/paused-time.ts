import type { Op } from '@sendlap/contract/activities.ts';
import type { ClockMeasurement } from '@sendlap/domain/recording/clock-correction.ts';
import { correctPauses, isInDoubt, pausedSeconds } from '@sendlap/domain/recording/pauses.ts';
import type { ActivityDraft } from './records.ts';

/** Returns the draft with the times of its pauses corrected; the same one if all of them are proven. */
export function correctDraft(draft: ActivityDraft, measurement: ClockMeasurement | null): ActivityDraft {
  const { pauses } = draft;
  if (!pauses || !measurement || !isInDoubt(pauses)) return draft;
  return { ...draft, pauses: correctPauses(pauses, measurement) };
}

interface Recorded {
  /** ISO 8601 */
  started_at: string;
  draft: ActivityDraft | null;
}

/**
 * Returns a finish whose seconds at rest are those noted between its start and its end: after either was corrected, less
 * of a pause may lie between them. Without notes here they stay, as far as they fit. Other ops are unchanged.
 */
export function withPausedTime(op: Op, { started_at, draft }: Recorded): Op {
  if (op.kind !== 'finish') return op;
  const span = { started_at: Date.parse(started_at), ended_at: Date.parse(op.ended_at) };
  const { paused_s = 0, ...finish } = op;
  const elapsed_s = Math.max(0, Math.floor((span.ended_at - span.started_at) / 1000));
  const noted = draft?.pauses ?? [];
  const seconds = noted.length > 0 ? pausedSeconds(noted, span) : Math.min(paused_s, elapsed_s);
  return seconds > 0 ? { ...finish, paused_s: seconds } : finish;
}
