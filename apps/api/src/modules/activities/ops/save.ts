import type { OpResult } from '@sendlap/contract/activities.ts';
import { sql } from 'kysely';
import type { Trx } from '#api/database/database.ts';
import { appendEventCtes } from '#api/events/event-store.ts';
import { AppError } from '#api/platform/errors.ts';
import { insertWaitingScan, refuseWaitingScans } from '../proofs/waiting-scan-store.ts';
import type { OpContext } from '../record/context.ts';
import { opWriteCtes, runCtes } from '../record/op-writes.ts';
import { ACCEPTED, scanDecidedEvent } from '../record/refusals.ts';
import { type ActivityRow, findActivity } from '../record/store.ts';
import { joinWaitingScans } from './join-waiting-scans.ts';
import { endsWaiting } from './lock.ts';
import { resultOf } from './outcomes.ts';
import { opEntries, saveChange, saveOutcome } from './save-change.ts';
import type { DecidedOp, LoadedOp, LockedOp } from './stages.ts';

const WITHDRAWN = new AppError('scan_withdrawn', 'This scan was withdrawn before it was decided');

/** Writes the decision, then decides the scans that waited for this op. Returns the op's result. */
export async function saveOp(
  trx: Trx,
  context: OpContext,
  locked: LockedOp,
  loaded: LoadedOp,
  decided: DecidedOp,
): Promise<OpResult> {
  const { outcome, change, log, waiting, withdrawn_scan, used_key_id } = decided;
  if (withdrawn_scan !== undefined) await saveScanWithdrawal(trx, context, locked, withdrawn_scan);
  else if (change) await saveChange(trx, context, change, { badges: loaded.badges, received: locked, outcome, log });
  else await saveOutcome(trx, locked, outcome, log);
  if (waiting) await insertWaitingScan(trx, waiting);
  if (used_key_id !== undefined) await context.devices.recordUse(trx, used_key_id);
  const row = change ? await joined(trx, context, locked, loaded, change.row) : decided.row;
  return resultOf(locked.op.op_id, outcome, locked.athlete_id === locked.user_id ? row : undefined);
}

/**
 * Withdraws a scan that still waits for the athlete's ops. The scan's outcome becomes `rejected` with `scan_withdrawn`; the
 * withdrawal itself is accepted.
 */
async function saveScanWithdrawal(
  trx: Trx,
  context: Pick<OpContext, 'events'>,
  received: LockedOp,
  scan_op_id: string,
): Promise<void> {
  const { user_id, op } = received;
  const condition = sql`op_id = ${scan_op_id} and activity_id = ${op.client_id}`;
  await refuseWaitingScans(trx, user_id, condition, WITHDRAWN);
  const events_to_send = [scanDecidedEvent(user_id, scan_op_id, 'rejected', WITHDRAWN.code)];
  const ops = opEntries({ received, outcome: ACCEPTED });
  await runCtes(trx, [...opWriteCtes({ ops }), ...appendEventCtes(events_to_send)]);
  context.events.publish(trx, events_to_send, []);
}

/** Returns the activity as it is after the scans that waited for this op were decided. */
async function joined(
  trx: Trx,
  context: OpContext,
  { op, locked_user_ids }: LockedOp,
  { waiting_scans }: LoadedOp,
  row: ActivityRow,
): Promise<ActivityRow | undefined> {
  if (waiting_scans.length === 0 || !endsWaiting(op)) return row;
  const has_joined = await joinWaitingScans(trx, context, row, locked_user_ids);
  return has_joined ? findActivity(trx, row.user_id, row.id) : row;
}
