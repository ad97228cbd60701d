import type { Trx } from '#api/database/database.ts';
import { assertDeviceActive, LAST_USE_WRITE_INTERVAL_MS } from '#api/modules/devices/service.ts';
import { AppError } from '#api/platform/errors.ts';
import { resolveScanMethod } from '../proofs/scan-method.ts';
import { proofEntry, unprovenEntry } from '../proofs/validation-log.ts';
import type { ScanOp, VerifiedScan } from '../proofs/verify-scan.ts';
import type { OpContext } from '../record/context.ts';
import { ACCEPTED, catchRefusal, type OpOutcome, toRefusedOutcome } from '../record/refusals.ts';
import { decideScan } from './decide-scan.ts';
import type { DecidedOp, LoadedOp, LockedOp } from './stages.ts';

const MAX_SCANS_AN_HOUR = 60;
const WAITING: OpOutcome = { outcome: 'waiting', code: null, message: null };

/** Decides a scan that came as its own op; it is logged in every case. Throws `too_many_requests`. */
export async function decideReceivedScan(
  trx: Trx,
  context: OpContext,
  { user_id, proven: scan }: LockedOp,
  op: ScanOp,
  loaded: LoadedOp,
): Promise<DecidedOp> {
  if (loaded.recent_scans >= MAX_SCANS_AN_HOUR) {
    throw new AppError('too_many_requests', 'At most 60 scans an hour', { retry_after_s: 600 });
  }
  if (!scan) throw new AppError('bad_request', 'A scan needs its code');
  if (scan instanceof AppError) {
    const outcome = toRefusedOutcome(scan);
    return { outcome, log: [unprovenEntry(user_id, op, outcome)] };
  }
  const method = await catchRefusal(async () => {
    assertDeviceActive(loaded.device, scan.scanned_at);
    return resolveScanMethod(trx, scan, loaded.refereed_sports);
  });
  if (method instanceof AppError) return logged(scan, 'referee', toRefusedOutcome(method));
  const change = await catchRefusal(async () => decideScan(context, scan, method, loaded));
  if (change instanceof AppError) return logged(scan, method, toRefusedOutcome(change));
  if (change === 'waiting') return { ...logged(scan, method, WAITING), waiting: scan };
  const unused_ms = scan.received_at.getTime() - (loaded.device?.last_used_at.getTime() ?? 0);
  return {
    ...logged(scan, method, ACCEPTED),
    change,
    ...(unused_ms > LAST_USE_WRITE_INTERVAL_MS ? { used_key_id: scan.code.key_id } : {}),
  };
}

function logged(scan: VerifiedScan, method: 'peer' | 'referee', outcome: OpOutcome): DecidedOp {
  return { outcome, log: [proofEntry(scan, method, outcome)] };
}
