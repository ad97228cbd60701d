import { compareScans } from '@sendlap/domain/decision-in-force.ts';
import type { Trx } from '#api/database/database.ts';
import { appendEventCtes } from '#api/events/event-store.ts';
import { AppError } from '#api/platform/errors.ts';
import { proofEntry } from '../proofs/validation-log.ts';
import { type VerifiedScan, verifyScan } from '../proofs/verify-scan.ts';
import { takeWaitingScans, type WaitingScan } from '../proofs/waiting-scan-store.ts';
import type { OpContext } from '../record/context.ts';
import { opWriteCtes, runCtes, type ValidationEntry } from '../record/op-writes.ts';
import { ACCEPTED, catchRefusal, scanDecidedEvent, toRefusedOutcome } from '../record/refusals.ts';
import type { ActivityRow } from '../record/store.ts';
import { decideScan } from './decide-scan.ts';
import { loadOp } from './load.ts';
import { ScannerNotLocked } from './lock.ts';
import { updateOutcome } from './outcomes.ts';
import { saveChange } from './save-change.ts';

/** Refusal of a scan that waited too long. */
export const SCAN_EXPIRED = new AppError('scan_too_old', 'The activity did not arrive within 14 days');

/**
 * Decides the waiting scans now that the athlete's ops have arrived, earliest scan first, and notifies their scanners.
 * Returns whether there were any. `locked`: users locked by the caller; throws `ScannerNotLocked` if a scanner is not
 * among them.
 */
export async function joinWaitingScans(
  trx: Trx,
  context: OpContext,
  activity: ActivityRow,
  locked: string[],
): Promise<boolean> {
  const waiting = await takeWaitingScans(trx, { athlete_id: activity.user_id, activity_id: activity.id });
  if (waiting.some(({ scanner_id }) => !locked.includes(scanner_id))) throw new ScannerNotLocked();
  const scans: { scan: VerifiedScan; expires_at: Date }[] = [];
  for (const { scanner_id, op, received_at, expires_at } of waiting) {
    // The key may have been revoked since; the scan was proven when it arrived.
    const scan = await catchRefusal(() => verifyScan(trx, context.devices, scanner_id, op, received_at));
    if (scan instanceof AppError) await refuse(trx, context, { scanner_id, op }, scan);
    else scans.push({ scan, expires_at });
  }
  scans.sort((a, b) => compareScans(scanKey(a.scan), scanKey(b.scan)));
  for (const { scan, expires_at } of scans) await join(trx, context, scan, expires_at);
  return waiting.length > 0;
}

function scanKey({ scanned_at, op }: VerifiedScan) {
  return { scanned_at_ms: scanned_at.getTime(), op_id: op.op_id };
}

/** Loads, decides and saves a waiting scan, as `receive` does with one that arrives. */
async function join(trx: Trx, context: OpContext, scan: VerifiedScan, expires_at: Date): Promise<void> {
  const { scanner_id: user_id, athlete_id, op } = scan;
  const loaded = await loadOp(trx, context, { user_id, athlete_id, op, proven: scan });
  const { method, change } = await decideScan(context, scan, loaded, {
    check() {
      if (expires_at <= context.now()) throw SCAN_EXPIRED;
    },
  });
  const decided = change === 'waiting' ? SCAN_EXPIRED : change;
  if (decided instanceof AppError) {
    const log = [proofEntry(scan, method, toRefusedOutcome(decided))];
    return refuse(trx, context, { scanner_id: user_id, op }, decided, log);
  }
  await updateOutcome(trx, user_id, op.op_id, ACCEPTED);
  await saveChange(trx, context, decided, {
    badges: loaded.badges,
    log: [proofEntry(scan, method, ACCEPTED)],
    news: [scanDecidedEvent(user_id, op.op_id, 'accepted')],
  });
}

async function refuse(
  trx: Trx,
  { events }: OpContext,
  { scanner_id, op }: Pick<WaitingScan, 'scanner_id' | 'op'>,
  error: AppError,
  log: ValidationEntry[] = [],
): Promise<void> {
  const outcome = toRefusedOutcome(error);
  const news = [scanDecidedEvent(scanner_id, op.op_id, 'rejected', outcome.code)];
  await updateOutcome(trx, scanner_id, op.op_id, outcome);
  await runCtes(trx, [...opWriteCtes({ log }), ...appendEventCtes(news)]);
  events.publish(trx, news, []);
}
