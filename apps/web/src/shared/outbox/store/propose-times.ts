import { MAX_ACTIVITY_DURATION_MS } from '@sendlap/domain/scan-checks.ts';
import { isEntered, type JudgedOp, toWholeSeconds } from './judge-time.ts';
import type { ActivityTimes, LocalActivity } from './records.ts';

const MAX_PROPOSALS = 3;

/** Returns the times that an activity may have had, in which its end follows its start; none without a known start. */
export function proposeTimes(judged: readonly JudgedOp[], local: LocalActivity | null): ActivityTimes[] {
  const start = judged.find(({ row }) => row.kind === 'start');
  const finish = judged.find(({ row }) => row.kind === 'finish');
  const starts = start ? timesOf(start) : local ? [Date.parse(local.started_at)] : [];
  const pairs = starts.flatMap((started_at) => {
    const start_ms = start ? started_at - savedTime(start) : 0;
    return (finish ? endsOf(finish, start_ms) : [null]).map((ended_at) => ({ started_at, ended_at }));
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

/** Returns the start or the end as it was saved, ms epoch. */
function savedTime({ row: { payload: op, created_at } }: JudgedOp): number {
  if (op.kind === 'start') return Date.parse(op.started_at);
  return op.kind === 'finish' ? Date.parse(op.ended_at) : created_at;
}

function timesOf(op: JudgedOp): number[] {
  return op.move_ms === null ? op.possible_ms : [savedTime(op) + op.move_ms];
}

/** An end that the athlete entered moves with the start. */
function endsOf(finish: JudgedOp, start_ms: number): number[] {
  const op = finish.row.payload;
  const is_entered = op.kind === 'finish' && isEntered(op.ended_at, finish.noted_ms);
  return is_entered ? [savedTime(finish) + start_ms] : timesOf(finish);
}
