import { ASK_END_AFTER_MS, MAX_ACTIVITY_DURATION_MS, USUAL_VISIT_MS } from '@sendlap/domain/scan-checks.ts';
import type { ActivityDraft } from '#web/shared/outbox/store/records.ts';

/**
 * After 4 hours hardly any athlete still trains: the app asks for the end instead of assuming it. `now`: ms epoch by
 * the server's clock.
 */
export function isForgotten({ started_at }: { started_at: string }, now: number): boolean {
  return now - Date.parse(started_at) >= ASK_END_AFTER_MS;
}

/** Returns the end to propose for a forgotten activity, ms epoch: the pause that goes on, else that of a usual visit. */
export function proposedEnd({ started_at, draft }: { started_at: string; draft: ActivityDraft | null }): number {
  const last = draft?.pauses?.at(-1);
  return last?.until === null ? last.since.at_ms : Date.parse(started_at) + USUAL_VISIT_MS;
}

/** Whether the activity may end now: an activity has a maximum duration. */
export function canEndNow({ started_at }: { started_at: string }, now: number): boolean {
  return now - Date.parse(started_at) <= MAX_ACTIVITY_DURATION_MS;
}

/** Validates a chosen end (all ms epoch); returns null if it is valid. An empty field is NaN. */
export function stopTimeError(ended_at: number, started_at: number, now: number): 'wrong' | 'tooLong' | null {
  if (!(ended_at > started_at && ended_at <= now)) return 'wrong';
  return ended_at - started_at > MAX_ACTIVITY_DURATION_MS ? 'tooLong' : null;
}
