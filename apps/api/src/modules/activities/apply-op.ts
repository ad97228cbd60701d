import type { Activity, Op, OpResult } from '@sendlap/contract/activities.ts';
import { isErrorCode } from '@sendlap/contract/errors.ts';
import { type Database, databaseErrorCode, type Trx } from '#api/platform/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { Events } from '#api/platform/events.ts';
import {
  countRecentScans,
  findOutcome,
  hashOf,
  insertOutcome,
  insertWaitingScan,
  listWaitingScanners,
  logValidation,
  type Outcome,
  takeWaitingScans,
  updateOutcome,
} from './op-store.ts';
import { presentActivity } from './present-activity.ts';
import { decideScan, type ProvenScan, proveScan, type ScanContext } from './scan.ts';
import { finishActivity, startActivity } from './steps.ts';
import { findActivity, lockUsers } from './store.ts';

const WAITING_MS = 14 * 86_400_000;
const MAX_TRIES = 3;
const MAX_SCANS_AN_HOUR = 60;
const EXPIRED = new AppError('scan_too_old', 'The activity did not arrive within 14 days');
/** Deadlock, serialisation, exclusion and unique violations: another writer was first, look again. */
const LOST_RACE = new Set(['40P01', '40001', '23P01', '23505']);

export interface OpContext extends ScanContext {
  database: Database;
  events: Events;
}

/**
 * Carries out one step of an activity exactly once: the same op id gives the stored outcome ('duplicate'), with
 * another body `idempotency_mismatch`. A refusal is stored too and gives outcome 'rejected' with its code.
 * Throws only for what may be tried again (5xx, too many scans) and for a mismatch.
 * `request` is what two sends are compared by, where it is not the op itself.
 */
export async function applyOp(context: OpContext, user_id: string, op: Op, request: object = op): Promise<OpResult> {
  const body_hash = hashOf(request);
  const known = await repeatOp(context.database, user_id, op.op_id, body_hash);
  if (known) return known;
  for (let tries = 1; ; tries += 1) {
    try {
      return await applyOnce(context, user_id, op, body_hash);
    } catch (error) {
      if (tries === MAX_TRIES || !LOST_RACE.has(databaseErrorCode(error) ?? '')) throw error;
    }
  }
}

async function applyOnce(context: OpContext, user_id: string, op: Op, body_hash: Buffer): Promise<OpResult> {
  const proven =
    op.kind === 'scan'
      ? await attempt(() => proveScan(context.database, context.devices, user_id, op, context.now()))
      : undefined;
  const users = [user_id, ...(await otherUsers(context, user_id, op, proven))];
  return context.database.transaction().execute(async (trx) => {
    await lockUsers(trx, users);
    const known = await repeatOp(trx, user_id, op.op_id, body_hash);
    if (known) return known;
    if (op.kind === 'scan') await checkScanRate(trx, user_id);
    const outcome = await act(trx, context, user_id, op, proven);
    await insertOutcome(trx, user_id, op, { ...outcome, body_hash });
    if (op.kind === 'finish' && outcome.outcome === 'accepted') {
      await joinWaitingScans(trx, context, user_id, op.client_id);
    }
    return toResult(op.op_id, outcome, await ownActivity(trx, user_id, op.client_id));
  });
}

async function otherUsers(
  context: OpContext,
  user_id: string,
  op: Op,
  proven: ProvenScan | AppError | undefined,
): Promise<string[]> {
  if (op.kind === 'finish') {
    return listWaitingScanners(context.database, { athlete_id: user_id, activity_id: op.client_id });
  }
  return proven && !(proven instanceof AppError) ? [proven.athlete_id] : [];
}

async function act(
  trx: Trx,
  context: OpContext,
  user_id: string,
  op: Op,
  proven: ProvenScan | AppError | undefined,
): Promise<Outcome> {
  if (op.kind === 'scan') {
    if (!proven || proven instanceof AppError) return refused(proven);
    return scan(trx, context, proven);
  }
  const done = await attempt(async () => {
    if (op.kind === 'start') await startActivity(trx, context, user_id, op);
    else await finishActivity(trx, context, user_id, op);
    return 'accepted' as const;
  });
  if (done instanceof AppError) return refused(done);
  await announce(trx, context, user_id, op.client_id);
  return { outcome: 'accepted', code: null, message: null };
}

async function scan(trx: Trx, context: OpContext, proven: ProvenScan): Promise<Outcome> {
  const decided = await attempt(() => decideScan(trx, context, proven));
  const outcome: Outcome =
    decided instanceof AppError ? refused(decided) : { outcome: decided, code: null, message: null };
  await logScan(trx, proven, outcome);
  if (outcome.outcome === 'waiting') {
    await insertWaitingScan(trx, {
      op_id: proven.op.op_id,
      scanner_id: proven.scanner_id,
      athlete_id: proven.athlete_id,
      activity_id: proven.code.activity_id,
      scan: proven.op,
      received_at: proven.received_at,
      expires_at: new Date(proven.received_at.getTime() + WAITING_MS),
    });
  }
  if (outcome.outcome === 'accepted') await announce(trx, context, proven.athlete_id, proven.code.activity_id);
  return outcome;
}

/** The athlete's steps have arrived: scans that came before them are decided, the earliest scan first. */
async function joinWaitingScans(trx: Trx, context: OpContext, athlete_id: string, activity_id: string): Promise<void> {
  const waiting = await takeWaitingScans(trx, { athlete_id, activity_id });
  const proven: ProvenScan[] = [];
  for (const { scanner_id, op, received_at, expires_at } of waiting) {
    if (expires_at <= context.now()) {
      await updateOutcome(trx, scanner_id, op.op_id, refused(EXPIRED));
      continue;
    }
    const scan_or_refusal = await attempt(() => proveScan(trx, context.devices, scanner_id, op, received_at));
    if (!(scan_or_refusal instanceof AppError)) proven.push(scan_or_refusal);
    else await updateOutcome(trx, scanner_id, op.op_id, refused(scan_or_refusal));
  }
  proven.sort((a, b) => a.scanned_at.getTime() - b.scanned_at.getTime() || (a.op.op_id < b.op.op_id ? -1 : 1));
  for (const each of proven) {
    const outcome = await scan(trx, context, each);
    await updateOutcome(trx, each.scanner_id, each.op.op_id, outcome);
  }
}

/** Tells the athlete's screens, and every board that may have changed. */
async function announce(trx: Trx, context: OpContext, user_id: string, activity_id: string): Promise<void> {
  const row = await findActivity(trx, user_id, activity_id);
  if (!row) return;
  await context.events.publish(trx, row.user_id, { type: 'activity_changed', activity: presentActivity(row) });
  if (row.status === 'validated') {
    await context.events.broadcast(trx, {
      type: 'leaderboard_changed',
      key: row.week_key,
      sport_center_id: row.sport_center_id,
    });
  }
}

async function logScan(trx: Trx, proven: ProvenScan, outcome: Outcome): Promise<void> {
  const { op } = proven;
  await logValidation(trx, {
    athlete_id: proven.athlete_id,
    activity_id: proven.code.activity_id,
    scanner_id: proven.scanner_id,
    op_id: op.op_id,
    method: 'referee',
    decision: op.decision,
    outcome: outcome.outcome === 'rejected' ? 'refused' : outcome.outcome,
    code: outcome.code,
    reason: op.reason ?? null,
    scanned_at: proven.scanned_at,
    clock_offset_ms: op.clock.offset_ms,
    clock_age_ms: op.clock.age_ms,
    distance_class: op.distance_class ?? 'unknown',
  });
}

/**
 * The stored outcome of an op that was sent before, undefined for a new one. Throws `idempotency_mismatch` when it was
 * another request under the same id.
 */
export async function repeatOp(
  database: Database | Trx,
  user_id: string,
  op_id: string,
  body_hash: Buffer,
): Promise<OpResult | undefined> {
  const known = await findOutcome(database, user_id, op_id);
  if (!known) return undefined;
  if (!known.body_hash.equals(body_hash)) {
    throw new AppError('idempotency_mismatch', 'This op_id was used for something else');
  }
  const result = toResult(op_id, known, await ownActivity(database, user_id, known.activity_id));
  return known.outcome === 'accepted' ? { ...result, outcome: 'duplicate' } : result;
}

async function checkScanRate(trx: Trx, user_id: string): Promise<void> {
  if ((await countRecentScans(trx, user_id)) < MAX_SCANS_AN_HOUR) return;
  throw new AppError('too_many_requests', 'At most 60 scans an hour', { retry_after_s: 600 });
}

/** The owner sees the activity; a scanner gets only the outcome. */
async function ownActivity(database: Database | Trx, user_id: string, id: string): Promise<Activity | null> {
  const row = await findActivity(database, user_id, id);
  return row ? presentActivity(row) : null;
}

function toResult(op_id: string, outcome: Outcome, activity: Activity | null): OpResult {
  return {
    op_id,
    outcome: outcome.outcome,
    ...(outcome.code ? { code: outcome.code } : {}),
    ...(outcome.message ? { message: outcome.message } : {}),
    activity,
  };
}

function refused(error: AppError | undefined): Outcome {
  const code = error && isErrorCode(error.code) ? error.code : 'bad_request';
  return { outcome: 'rejected', code, message: error?.message ?? 'This step cannot be carried out' };
}

/** Refusals (4xx) as values; everything else is thrown on. */
async function attempt<Value>(run: () => Promise<Value>): Promise<Value | AppError> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return error;
    throw error;
  }
}
