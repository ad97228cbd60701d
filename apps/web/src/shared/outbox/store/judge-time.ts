import { type ClockMeasurement, estimateTime, nearestTime } from '@sendlap/domain/recording/clock-correction.ts';
import type { QueuedOp } from './records.ts';

/** An op whose time was judged by a measurement of the clock. */
export interface JudgedOp {
  row: QueuedOp;
  /** What the device took for the server's time when the op was saved, ms epoch. */
  noted_ms: number;
  /** How far that was wrong, ms; null: that cannot be known. */
  move_ms: number | null;
  /** Of an unknown time, ms epoch: the possible times, at least one. */
  possible_ms: number[];
  /** Set if the only possible time is the latest of a range that begins here, ms epoch. */
  earliest_ms?: number;
}

/** Returns whether the times of the op may be wrong. */
export function isInDoubt({ clock }: QueuedOp): boolean {
  return clock !== undefined;
}

/** An op without a note of its clock was saved by a measured one: its time is right. */
export function judgeTime(row: QueuedOp, measurement: ClockMeasurement): JudgedOp {
  const { clock } = row;
  if (!clock) return { row, noted_ms: savedTime(row), move_ms: 0, possible_ms: [] };
  const noted_ms = clock.moment.wall_ms + (clock.before?.offset_ms ?? 0);
  const time = estimateTime(clock.moment, clock.before, measurement);
  if (time.kind === 'known') return { row, noted_ms, move_ms: time.at_ms - noted_ms, possible_ms: [] };
  // The athlete is asked about activities only; the time of any other op is the nearest possible one.
  if (row.kind !== 'start' && row.kind !== 'finish') {
    return { row, noted_ms, move_ms: nearestTime(time, noted_ms) - noted_ms, possible_ms: [] };
  }
  const { candidates_ms, earliest_ms, latest_ms } = time;
  if (candidates_ms.length === 0) return { row, noted_ms, move_ms: null, possible_ms: [latest_ms], earliest_ms };
  return { row, noted_ms, move_ms: null, possible_ms: candidates_ms };
}

/** Returns the start or the end as it was saved, of another op when that was saved, ms epoch. */
export function savedTime({ payload: op, created_at }: QueuedOp): number {
  if (op.kind === 'start') return Date.parse(op.started_at);
  return op.kind === 'finish' ? Date.parse(op.ended_at) : created_at;
}

/** More than the rounding of a time to whole seconds. */
const ENTERED_MS = 2_000;

/** Returns whether the athlete entered this end: an end that was saved as "now" is not earlier than that. */
export function isEntered(ended_at: string, noted_ms: number): boolean {
  return Date.parse(ended_at) < noted_ms - ENTERED_MS;
}
