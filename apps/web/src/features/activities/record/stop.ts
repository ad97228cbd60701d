import { FORGOTTEN_AFTER_MS, MAX_ACTIVITY_DURATION_MS } from '@sendlap/domain/scan-checks.ts';

/** A usual visit: what the question for the end of a forgotten activity proposes. */
export const USUAL_VISIT_MS = 90 * 60_000;

/** After 4 hours hardly anybody is still at it: its end is asked for, not taken. `now`: ms epoch by the server's clock. */
export function isForgotten({ started_at }: { started_at: string }, now: number): boolean {
  return now - Date.parse(started_at) >= FORGOTTEN_AFTER_MS;
}

/** Whether an activity may end now: nothing longer is one activity. */
export function canEndNow({ started_at }: { started_at: string }, now: number): boolean {
  return now - Date.parse(started_at) <= MAX_ACTIVITY_DURATION_MS;
}

/** What is wrong with an end that was chosen, all ms epoch; null: nothing. A field that is not filled is NaN. */
export function stopProblem(ended_at: number, started_at: number, now: number): 'wrong' | 'tooLong' | null {
  if (!(ended_at > started_at && ended_at <= now)) return 'wrong';
  return ended_at - started_at > MAX_ACTIVITY_DURATION_MS ? 'tooLong' : null;
}
