import type { Op } from '@sendlap/contract/activities.ts';
import { fromBase64Url } from '@sendlap/domain/bytes.ts';
import { localDate } from '@sendlap/domain/dates.ts';
import { type ActivityCode, decodeCode } from '@sendlap/domain/qr-code.ts';
import { MAX_CLOCK_JUMP_MS } from '@sendlap/domain/scan-checks.ts';
import type { Database, Trx } from '#api/database/database.ts';
import type { DeviceService } from '#api/modules/devices/service.ts';
import { AppError } from '#api/platform/errors.ts';
import type { OpContext } from '../record/context.ts';
import type { OpScope } from '../record/store.ts';

export type ScanOp = Extract<Op, { kind: 'scan' }>;

/** A scan whose code provably comes from the athlete's device. */
export interface VerifiedScan {
  op: ScanOp;
  code: ActivityCode;
  athlete_id: string;
  scanner_id: string;
  /** By the server's clock. */
  scanned_at: Date;
  received_at: Date;
}

/** The time of the scan by the server's clock. */
export function scannedAt({ scanned_at, clock }: ScanOp): Date {
  return new Date(Date.parse(scanned_at) + clock.offset_ms);
}

/**
 * Parses the code and checks its MAC. Writes nothing and reads nothing mutable: whether the key is revoked is checked
 * under the lock. The scan time is corrected by the scanner's clock offset.
 */
export async function verifyScan(
  executor: Database | Trx,
  devices: DeviceService,
  scanner_id: string,
  op: ScanOp,
  received_at: Date,
): Promise<VerifiedScan> {
  const bytes = fromBase64Url(op.payload);
  const read = bytes && decodeCode(bytes);
  if (!read) throw new AppError('code_unreadable', 'This is not a code of this app');
  if (read.kind !== 'activity') throw new AppError('code_kind_unsupported', 'This code does not show an activity');
  if (read.code.activity_id !== op.client_id.toLowerCase()) {
    throw new AppError('payload_mismatch', 'The code belongs to another activity');
  }
  if (Math.abs(op.clock.jump_ms ?? 0) > MAX_CLOCK_JUMP_MS) {
    throw new AppError('clock_jumped', 'The clock of your device was changed; open the page again and scan once more');
  }
  const scanned_at = scannedAt(op);
  const athlete_id = await devices.verifyCodeOwner(executor, read.code.key_id, read.body, read.mac);
  if (athlete_id === scanner_id) throw new AppError('own_activity', 'You cannot confirm your own activity');
  return { op, code: read.code, athlete_id, scanner_id, scanned_at, received_at };
}

/** The rows a scan can touch; the day is that of the code's start at its center, if the center is known. */
export function scanScope(context: Pick<OpContext, 'sport_centers'>, { code, scanner_id }: VerifiedScan): OpScope {
  const started_at = new Date(code.started_at);
  const zone = context.sport_centers.getById(code.sport_center_id)?.time_zone;
  return zone
    ? { started_at, scanner: { id: scanner_id, local_date: localDate(code.started_at, zone) } }
    : { started_at };
}
