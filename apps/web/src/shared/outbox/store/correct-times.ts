import type { Op } from '@sendlap/contract/activities.ts';
import { type ClockMeasurement, MIN_CLOCK_MOVE_MS } from '@sendlap/domain/recording/clock-correction.ts';
import { toTimestamp } from '@sendlap/domain/recording/to-timestamp.ts';
import type { OutboxTransaction } from './database.ts';
import { isEntered, isInDoubt, judgeTime } from './judge-time.ts';
import { findLocalActivity } from './local-activity.ts';
import { correctDraft, withPausedTime } from './paused-time.ts';
import { needsAnswer, proposeTimes } from './propose-times.ts';
import { type ActivityTimes, CLOCK_UNSURE, type LocalActivity, type QueuedOp } from './records.ts';
import { isHeld } from './save-op.ts';

interface Contact {
  user_id: string;
  /** The clocks now, with the server's time. */
  measurement: ClockMeasurement;
  /** ms epoch */
  now: number;
}

/**
 * Judges the times of all ops whose clock was in doubt. A known time is corrected, in the op and on this device; an
 * activity with an unknown one leaves the queue until the athlete says when it was. An op is judged once, before it is
 * sent: the server refuses the same op id with other times.
 */
export async function correctTimes(transaction: OutboxTransaction, contact: Contact): Promise<void> {
  const ops = await transaction.objectStore('ops').index('user_id').getAll(contact.user_id);
  for (const rows of Map.groupBy(ops, ({ client_id }) => client_id).values()) {
    if (rows.some(isInDoubt)) await correctActivity(transaction, rows, contact);
  }
}

async function correctActivity(transaction: OutboxTransaction, rows: QueuedOp[], contact: Contact): Promise<void> {
  const judged = rows.map((row) => judgeTime(row, contact.measurement));
  const found = await findLocalActivity(transaction, rows[0]?.client_id ?? '');
  // The pauses were noted by the same clock.
  const local = found && { ...found, draft: found.draft && correctDraft(found.draft, contact.measurement) };
  const lasting = judged.filter(({ row }) => !isUndone(row, rows));
  if (judged.some(({ move_ms }) => move_ms === null) || needsAnswer(lasting)) {
    const proposals = proposeTimes(lasting, local);
    const deletion = rows.find(({ kind }) => kind === 'delete');
    // It may still be undone, and then the athlete is asked: `nextBatch` sends nothing until then.
    if (deletion && isHeld(deletion, contact.now)) return;
    if (deletion) return sendWith(transaction, { rows, local }, proposals[0]);
    return askAthlete(transaction, { rows, local, proposals, now: contact.now });
  }
  const start_ms = judged.find(({ row }) => row.kind === 'start')?.move_ms ?? 0;
  let corrected = local;
  for (const { row, move_ms, noted_ms } of judged) {
    // A finish by a proven clock is not sent before its start, whose time decides how much of a pause lies between them.
    if (!row.clock && !(row.kind === 'finish' && start_ms !== 0)) continue;
    const { clock, ...op } = row;
    const moved = clock ? moveTimes(op.payload, { move_ms: move_ms ?? 0, start_ms, noted_ms }) : op.payload;
    const payload = corrected ? withPausedTime(moved, corrected) : moved;
    await transaction.objectStore('ops').put({ ...op, payload });
    if (!isUndone(row, rows)) corrected = corrected && withTimesOf(corrected, payload, move_ms ?? 0);
  }
  if (corrected) await transaction.objectStore('activities').put(corrected);
}

/** Returns whether the athlete undid this finish: the activity ran on. */
function isUndone({ kind, seq }: QueuedOp, rows: readonly QueuedOp[]): boolean {
  return kind === 'finish' && rows.some((row) => row.kind === 'reopen' && row.seq > seq);
}

/** Returns whether this op undid one of the finishes. */
function undoes({ kind, seq }: QueuedOp, rows: readonly QueuedOp[]): boolean {
  return kind === 'reopen' && rows.some((row) => row.kind === 'finish' && row.seq < seq);
}

interface Move {
  move_ms: number;
  /** How far the start was moved: times that the athlete entered were read off the same clock. */
  start_ms: number;
  noted_ms: number;
}

function moveTimes(op: Op, { move_ms, start_ms, noted_ms }: Move): Op {
  if (move_ms === 0 && start_ms === 0) return op;
  const moveBy = (timestamp: string, by_ms: number) => toTimestamp(Date.parse(timestamp) + by_ms);
  const venueScan = (scan: { payload: string; scanned_at: string } | undefined) =>
    scan ? { venue_scan: { ...scan, scanned_at: moveBy(scan.scanned_at, move_ms) } } : {};
  switch (op.kind) {
    case 'start':
      return { ...op, started_at: moveBy(op.started_at, move_ms), ...venueScan(op.venue_scan) };
    case 'finish': {
      // Of a clock that was set back, the saved end says only that it follows the start.
      const is_entered = isEntered(op.ended_at, noted_ms);
      const ended_at = is_entered ? moveBy(op.ended_at, start_ms) : toTimestamp(noted_ms + move_ms);
      return { ...op, ended_at, ...venueScan(op.venue_scan) };
    }
    case 'edit': {
      const start = op.started_at === undefined ? {} : { started_at: moveBy(op.started_at, start_ms) };
      const end = op.ended_at === undefined ? {} : { ended_at: moveBy(op.ended_at, start_ms) };
      return { ...op, edited_at: moveBy(op.edited_at, move_ms), ...start, ...end };
    }
    case 'appeal':
      return { ...op, appealed_at: moveBy(op.appealed_at, move_ms) };
    case 'scan':
      // A scan keeps its raw time, with the offset of the clock.
      return { ...op, clock: { ...op.clock, offset_ms: op.clock.offset_ms + move_ms, age_ms: 0 } };
    default:
      return op;
  }
}

function withTimesOf(local: LocalActivity, op: Op, move_ms: number): LocalActivity {
  const times = timesOf(op);
  return Math.abs(move_ms) < MIN_CLOCK_MOVE_MS || !times
    ? { ...local, ...times }
    : { ...local, ...times, corrected_ms: move_ms };
}

function timesOf(op: Op): (Partial<ActivityTimes> & Pick<LocalActivity, 'paused_s'>) | null {
  if (op.kind === 'start') return { started_at: op.started_at };
  return op.kind === 'finish' ? { ended_at: op.ended_at, paused_s: op.paused_s } : null;
}

interface Question {
  rows: QueuedOp[];
  local: LocalActivity | null;
  proposals: ActivityTimes[];
  now: number;
}

/**
 * The activity's ops wait as refused ones do, and show the first proposal until then. A finish that was undone is left
 * out with its undo, and so are times that the athlete corrected before: the answer says when it was.
 */
async function askAthlete(transaction: OutboxTransaction, { rows, local, proposals, now }: Question): Promise<void> {
  const [times] = proposals;
  let shown = local && { ...local, ...times };
  for (const { hold_until, clock, ...row } of rows) {
    await transaction.objectStore('ops').delete(row.seq);
    const op = withoutCorrectedTimes(row.payload);
    if (!op || isUndone({ hold_until, ...row }, rows) || undoes({ hold_until, ...row }, rows)) continue;
    const payload = times ? withTimes(op, times, local) : op;
    if (shown && payload.kind === 'finish') shown = { ...shown, paused_s: payload.paused_s };
    await transaction
      .objectStore('dead')
      .put({ ...row, payload, code: CLOCK_UNSURE, message: '', died_at: now, proposals });
  }
  if (shown) await transaction.objectStore('activities').put(shown);
}

/** Of an activity that the athlete has deleted, no time matters: it is sent with one that the server takes. */
async function sendWith(
  transaction: OutboxTransaction,
  { rows, local }: Pick<Question, 'rows' | 'local'>,
  times?: ActivityTimes,
): Promise<void> {
  for (const { clock, ...row } of rows) {
    const payload = times ? withTimes(row.payload, times, local) : row.payload;
    await transaction.objectStore('ops').put({ ...row, payload });
  }
}

/** Returns null for a correction of times alone. */
function withoutCorrectedTimes(op: Op): Op | null {
  if (op.kind !== 'edit') return op;
  const { started_at, ended_at, ...rest } = op;
  const { kind, op_id, client_id, edited_at, ...facts } = rest;
  const is_of_times_alone = (started_at ?? ended_at) !== undefined && Object.keys(facts).length === 0;
  return is_of_times_alone ? null : rest;
}

function withTimes(op: Op, { started_at, ended_at }: ActivityTimes, local: LocalActivity | null): Op {
  if (op.kind === 'start') return { ...op, started_at };
  if (op.kind !== 'finish' || ended_at === null) return op;
  return withPausedTime({ ...op, ended_at }, { started_at, draft: local?.draft ?? null });
}

/** The athlete has read that times were corrected. */
export async function dismissCorrections(transaction: OutboxTransaction, user_id: string): Promise<void> {
  const activities = transaction.objectStore('activities');
  for (const { corrected_ms, ...activity } of await activities.index('user_id').getAll(user_id)) {
    if (corrected_ms !== undefined) await activities.put(activity);
  }
}
