import { compareScans } from '@sendlap/domain/decision-in-force.ts';
import { sql } from 'kysely';
import type { Trx } from '#api/database/database.ts';
import { appendEventCtes } from '#api/events/event-store.ts';
import { AppError } from '#api/platform/errors.ts';
import { resolveScanMethod, scanSharesInstallation } from '../proofs/scan-method.ts';
import { proofEntry } from '../proofs/validation-log.ts';
import { scanScope, type VerifiedScan, verifyScan } from '../proofs/verify-scan.ts';
import { takeWaitingScans, type WaitingScan } from '../proofs/waiting-scan-store.ts';
import type { OpContext } from '../record/context.ts';
import { opWriteCtes, runCtes, type ValidationEntry } from '../record/op-writes.ts';
import { ACCEPTED, catchRefusal, scanDecidedEvent, toRefusedOutcome } from '../record/refusals.ts';
import { type ActivityRow, executeOne, loadOpInputs } from '../record/store.ts';
import { decideScan } from './decide-scan.ts';
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

async function join(trx: Trx, context: OpContext, scan: VerifiedScan, expires_at: Date): Promise<void> {
  const { code, scanned_at, scanner_id } = scan;
  const refereed_sports = await context.referees.listSportsOfReferee(trx, scanner_id, code.sport_center_id, scanned_at);
  const { shares_installation } = await executeOne(
    trx,
    sql<{ shares_installation: boolean }>`select ${scanSharesInstallation(scan)} as shares_installation`,
  );
  const key = { athlete_id: scan.athlete_id, activity_id: code.activity_id };
  const method = await catchRefusal(() => resolveScanMethod(trx, scan, { refereed_sports, shares_installation }));
  const named = method instanceof AppError ? 'referee' : method;
  const decided = await catchRefusal(async () => {
    if (expires_at <= context.now()) throw SCAN_EXPIRED;
    if (method instanceof AppError) throw method;
    const found = await loadOpInputs(trx, key, scanScope(context, scan));
    const change = decideScan(context, scan, method, found);
    if (change === 'waiting') throw SCAN_EXPIRED;
    return { change, badges: found.badges };
  });
  if (decided instanceof AppError) {
    return refuse(trx, context, scan, decided, [proofEntry(scan, named, toRefusedOutcome(decided))]);
  }
  const news = [scanDecidedEvent(scanner_id, scan.op.op_id, 'accepted')];
  await updateOutcome(trx, scanner_id, scan.op.op_id, ACCEPTED);
  await saveChange(trx, context, decided.change, {
    badges: decided.badges,
    log: [proofEntry(scan, named, ACCEPTED)],
    news,
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
