import { toTimestamp } from '@sendlap/domain/recording/to-timestamp.ts';
import { MAX_ACTIVITY_DURATION_MS, USUAL_VISIT_MS } from '@sendlap/domain/scan-checks.ts';
import { isEntered, type JudgedOp, savedTime } from './judge-time.ts';
import type { ActivityTimes, LocalActivity } from './records.ts';

const MAX_PROPOSALS = 3;

/** ms epoch. */
interface Pair {
  started_at: number;
  ended_at: number | null;
}

/**
 * Returns whether only the athlete knows the times: one is unknown, or both are known by a single move of the clock and
 * the end is not after the start, so that it was moved more than once.
 */
export function needsAnswer(judged: readonly JudgedOp[]): boolean {
  if (judged.some(({ move_ms }) => move_ms === null)) return true;
  return pairsOf(judged, null).some(({ started_at, ended_at }) => ended_at !== null && !isAfter(ended_at, started_at));
}

/** Returns the times that an activity may have had, in which its end follows its start; none without a known start. */
export function proposeTimes(judged: readonly JudgedOp[], local: LocalActivity | null): ActivityTimes[] {
  const { start, finish } = findBoth(judged);
  const pairs = pairsOf(judged, local);
  const fitting = pairs.filter(isFitting);
  const offered = fitting.length > 0 ? fitting : pairs.map((pair) => toUsualVisit(pair, start));
  return choose(offered, start, finish).map(({ started_at, ended_at }) => ({
    started_at: toTimestamp(started_at),
    ended_at: ended_at === null ? null : toTimestamp(ended_at),
  }));
}

function findBoth(judged: readonly JudgedOp[]) {
  return {
    start: judged.find(({ row }) => row.kind === 'start'),
    finish: judged.find(({ row }) => row.kind === 'finish'),
  };
}

function pairsOf(judged: readonly JudgedOp[], local: LocalActivity | null): Pair[] {
  const { start, finish } = findBoth(judged);
  const starts = start ? timesOf(start) : local ? [Date.parse(local.started_at)] : [];
  return starts.flatMap((started_at): Pair[] => {
    if (!finish) return [{ started_at, ended_at: null }];
    const start_ms = start ? started_at - savedTime(start.row) : 0;
    return endsOf(finish, start, start_ms).map((ended_at) => asUsual({ started_at, ended_at }, start, finish));
  });
}

/** Returns whether the server takes the times. */
function isFitting({ started_at, ended_at }: Pair): boolean {
  if (ended_at === null) return true;
  return isAfter(ended_at, started_at) && ended_at - started_at <= MAX_ACTIVITY_DURATION_MS;
}

/** In whole seconds, in which times are sent. */
function isAfter(one_ms: number, other_ms: number): boolean {
  return Math.floor(one_ms / 1000) > Math.floor(other_ms / 1000);
}

/**
 * Of a clock that was moved more than once, no pair may fit: then a usual visit ends at the end, or begins at a start that
 * is sure.
 */
function toUsualVisit({ started_at, ended_at }: Pair, start: JudgedOp | undefined): Pair {
  return start?.row.clock && ended_at !== null
    ? { started_at: ended_at - USUAL_VISIT_MS, ended_at }
    : { started_at, ended_at: started_at + USUAL_VISIT_MS };
}

/** Returns the most likely pairs, in their order: first come those for which the clock was moved only once. */
function choose(pairs: Pair[], start: JudgedOp | undefined, finish: JudgedOp | undefined): Pair[] {
  const likely = pairs.filter((pair) => !needsMoreMoves(pair, start, finish));
  const chosen = [...likely, ...pairs.filter((pair) => !likely.includes(pair))].slice(0, MAX_PROPOSALS);
  return pairs.filter((pair) => chosen.includes(pair));
}

/** Returns whether the clock was moved before the start, and back before the end. */
function needsMoreMoves({ started_at, ended_at }: Pair, start?: JudgedOp, finish?: JudgedOp): boolean {
  return start?.noted_ms !== started_at && finish?.noted_ms === ended_at;
}

/** Returns whether no single move of the clock explains the time: then only a range is known. */
function isRange({ earliest_ms }: JudgedOp): boolean {
  return earliest_ms !== undefined;
}

/** Of a range, the latest time may not fit the other one: then a usual visit lies between the two. */
function asUsual(times: Pair & { ended_at: number }, start: JudgedOp | undefined, finish: JudgedOp): Pair {
  const { started_at, ended_at } = times;
  if (start && isRange(start) && ended_at <= started_at)
    return { started_at: Math.max(start.earliest_ms ?? ended_at, ended_at - USUAL_VISIT_MS), ended_at };
  if (isRange(finish) && ended_at - started_at > MAX_ACTIVITY_DURATION_MS)
    return { started_at, ended_at: started_at + USUAL_VISIT_MS };
  return times;
}

/** Of a clock that was set back, the saved end says only that it follows the start. */
function timesOf(op: JudgedOp): number[] {
  if (op.move_ms === null) return op.possible_ms;
  return [(op.row.kind === 'finish' ? op.noted_ms : savedTime(op.row)) + op.move_ms];
}

/**
 * An end that the athlete entered moves with the start. Of a start in a range, nothing tells by how much: then the end was
 * entered by the clock of the finish, or beside a start that was wrong by days.
 */
function endsOf(finish: JudgedOp, start: JudgedOp | undefined, start_ms: number): number[] {
  const op = finish.row.payload;
  if (op.kind !== 'finish' || !isEntered(op.ended_at, finish.noted_ms)) return timesOf(finish);
  const saved_ms = savedTime(finish.row);
  if (!start || !isRange(start)) return [saved_ms + start_ms];
  const ended_at = saved_ms + (finish.move_ms ?? 0);
  return ended_at > (start.earliest_ms ?? 0) ? [ended_at] : timesOf(finish);
}
