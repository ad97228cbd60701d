import { MAX_ACTIVITY_DURATION_MS, USUAL_VISIT_MS } from '@sendlap/domain/scan-checks.ts';
import { isEntered, type JudgedOp, savedTime, toWholeSeconds } from './judge-time.ts';
import type { ActivityTimes, LocalActivity } from './records.ts';

const MAX_PROPOSALS = 3;

/** Returns the times that an activity may have had, in which its end follows its start; none without a known start. */
export function proposeTimes(judged: readonly JudgedOp[], local: LocalActivity | null): ActivityTimes[] {
  const start = judged.find(({ row }) => row.kind === 'start');
  const finish = judged.find(({ row }) => row.kind === 'finish');
  const starts = start ? timesOf(start) : local ? [Date.parse(local.started_at)] : [];
  const pairs = starts.flatMap((started_at) => {
    const start_ms = start ? started_at - savedTime(start.row) : 0;
    return (finish ? endsOf(finish, start_ms) : [null]).map((ended_at) => ({
      started_at: startBefore(ended_at, { started_at, earliest_ms: start?.earliest_ms }),
      ended_at,
    }));
  });
  const usual = pairs.filter(
    ({ started_at, ended_at }) =>
      ended_at === null || (ended_at > started_at && ended_at - started_at <= MAX_ACTIVITY_DURATION_MS),
  );
  return (usual.length > 0 ? usual : pairs).slice(0, MAX_PROPOSALS).map(({ started_at, ended_at }) => ({
    started_at: toWholeSeconds(started_at),
    ended_at: ended_at === null ? null : toWholeSeconds(ended_at),
  }));
}

/** Of a start that no move of the clock explains, only a range is known: it began a usual visit before its end. */
function startBefore(
  ended_at: number | null,
  { started_at, earliest_ms }: { started_at: number; earliest_ms: number | undefined },
): number {
  if (ended_at === null || earliest_ms === undefined || started_at < ended_at) return started_at;
  return Math.max(earliest_ms, ended_at - USUAL_VISIT_MS);
}

/** Of a clock that was set back, the saved end says only that it follows the start. */
function timesOf(op: JudgedOp): number[] {
  if (op.move_ms === null) return op.possible_ms;
  return [(op.row.kind === 'finish' ? op.noted_ms : savedTime(op.row)) + op.move_ms];
}

/** An end that the athlete entered moves with the start. */
function endsOf(finish: JudgedOp, start_ms: number): number[] {
  const op = finish.row.payload;
  const is_entered = op.kind === 'finish' && isEntered(op.ended_at, finish.noted_ms);
  return is_entered ? [savedTime(finish.row) + start_ms] : timesOf(finish);
}
