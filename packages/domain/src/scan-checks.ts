import { ACTIVITY_TIME_STEP_MS, timeStepAt } from './qr-code.ts';

/** An activity can be validated from its finish until this long after its end, and as long again after an appeal. */
export const VALIDATION_WINDOW_MS = 12 * 3_600_000;
/** An activity that runs longer than this asks "When did you stop?". */
export const ASK_END_AFTER_MS = 4 * 3_600_000;
/** The length of a usual visit, proposed where a start or an end is not known. */
export const USUAL_VISIT_MS = 90 * 60_000;
/** A longer activity is refused. */
export const MAX_ACTIVITY_DURATION_MS = 24 * 3_600_000;

/**
 * Maximum drift between the wall clock and the monotonic clock of one page; beyond it the time of a scan is unknowable.
 */
export const MAX_CLOCK_JUMP_MS = 30_000;

/** A later decision would change a closed week. */
const APPEAL_DECISION_WINDOW_MS = 14 * 24 * 3_600_000;

const ONLINE_STEP_TOLERANCE = 1;
const OFFLINE_STEP_TOLERANCE = 2;

export type ScanRefusal =
  | 'activity_not_finished'
  | 'activity_duration_invalid'
  | 'activity_in_future'
  | 'scan_in_future'
  | 'code_expired'
  | 'code_replayed'
  | 'validation_window_closed';

export interface ActivityScan {
  /** The time step in the code, by the athlete's clock. */
  code_time_step: number;
  /** ms epoch, already corrected by the scanner's own offset */
  scanned_at_ms: number;
  /** True for a scan that waited on the scanner's phone. */
  recorded_offline: boolean;
  /** ms epoch in the code, by the athlete's clock */
  started_at_ms: number;
  /** ms epoch in the code, by the athlete's clock; null while it runs */
  ended_at_ms: number | null;
  /** The server's clock, ms epoch. */
  now_ms: number;
  /** The newest time step of any accepted scan of this activity, null before the first. */
  last_accepted_time_step: number | null;
  /** The appeal that this scan may answer, ms epoch; null or omitted without one. */
  appealed_at_ms?: number | null;
  /** Server clock minus athlete's clock, ms; corrects code_time_step, start and end. */
  athlete_clock_offset_ms?: number;
}

/**
 * Checks the time rules of a scanned activity code. Returns null if all hold, else the code of the first violated one.
 * Every comparison is written so that NaN is refused.
 */
export function checkActivityScan(scan: ActivityScan): ScanRefusal | null {
  if (scan.ended_at_ms === null) return 'activity_not_finished';
  const offset = scan.athlete_clock_offset_ms ?? 0;
  const tolerance = scan.recorded_offline ? OFFLINE_STEP_TOLERANCE : ONLINE_STEP_TOLERANCE;
  const duration = scan.ended_at_ms - scan.started_at_ms;
  const since_end = scan.scanned_at_ms - (scan.ended_at_ms + offset);
  // The middle of the step: with an offset a corrected step overlaps two, and the nearer one counts.
  const corrected_step = timeStepAt(
    (scan.code_time_step + 0.5) * ACTIVITY_TIME_STEP_MS + offset,
    ACTIVITY_TIME_STEP_MS,
  );
  const steps_apart = Math.abs(timeStepAt(scan.scanned_at_ms, ACTIVITY_TIME_STEP_MS) - corrected_step);

  if (!(duration > 0 && duration <= MAX_ACTIVITY_DURATION_MS)) return 'activity_duration_invalid';
  if (!(scan.scanned_at_ms <= scan.now_ms + ACTIVITY_TIME_STEP_MS)) return 'scan_in_future';
  if (!(steps_apart <= tolerance)) return 'code_expired';
  if (!(scan.last_accepted_time_step === null || scan.code_time_step > scan.last_accepted_time_step))
    return 'code_replayed';
  if (!(since_end >= -tolerance * ACTIVITY_TIME_STEP_MS)) return 'activity_in_future';
  if (!(since_end <= VALIDATION_WINDOW_MS || isWithinAppealWindow(scan))) return 'validation_window_closed';
  return null;
}

function isWithinAppealWindow({ appealed_at_ms, scanned_at_ms, ended_at_ms, now_ms }: ActivityScan): boolean {
  if (typeof appealed_at_ms !== 'number' || ended_at_ms === null) return false;
  const is_in_time = scanned_at_ms >= appealed_at_ms && scanned_at_ms <= confirmableUntil(ended_at_ms, appealed_at_ms);
  return is_in_time && now_ms <= ended_at_ms + APPEAL_DECISION_WINDOW_MS;
}

/** Returns until when (ms epoch) the code of an activity can be scanned; `appealed_at_ms` is null without an appeal. */
export function confirmableUntil(ended_at_ms: number, appealed_at_ms: number | null): number {
  const window_after_end = ended_at_ms + VALIDATION_WINDOW_MS;
  if (appealed_at_ms === null) return window_after_end;
  const window_after_appeal = Math.min(appealed_at_ms + VALIDATION_WINDOW_MS, ended_at_ms + APPEAL_DECISION_WINDOW_MS);
  return Math.max(window_after_end, window_after_appeal);
}

/** Returns until when (ms epoch) a finished activity, with the times of the wire, can be confirmed. */
export function confirmationDeadline(activity: { ended_at: string; appealed_at?: string | null | undefined }): number {
  const { ended_at, appealed_at } = activity;
  return confirmableUntil(Date.parse(ended_at), appealed_at ? Date.parse(appealed_at) : null);
}
