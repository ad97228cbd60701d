import type { Op } from '@sendlap/contract/activities.ts';
import { sql } from 'kysely';
import { compileOnce } from '#api/database/compile-once.ts';
import type { Trx } from '#api/database/database.ts';
import { PREPARED } from '#api/database/statement-pipeline.ts';
import { AppError } from '#api/platform/errors.ts';
import {
  parseScannerRights,
  type ScannerRightsJson,
  type ScannerRightsValues,
  scannerRightsValues,
  selectScannerRights,
} from '../proofs/scan-method.ts';
import { scanScope, type VerifiedScan } from '../proofs/verify-scan.ts';
import type { OpContext } from '../record/context.ts';
import type { OpOutcome } from '../record/refusals.ts';
import {
  executeOne,
  type OpInputsJson,
  type OpInputsValues,
  type OpScope,
  opInputsValues,
  parseOpInputs,
  parseTime,
  selectOpInputs,
} from '../record/store.ts';
import type { LoadedOp, LockedOp } from './stages.ts';

interface LoadedRow extends OpInputsJson {
  stored: {
    outcome: OpOutcome['outcome'];
    code: string | null;
    message: string | null;
    hash: string;
    id: string;
  } | null;
  waiting_scans: LoadedOp['waiting_scans'] | null;
  recent_scans: number;
  scanner_rights: ScannerRightsJson | null;
  device: { revoked_at: string | null; last_used_at: string } | null;
}

interface OwnValues extends OpInputsValues {
  user_id: string;
  op_id: string;
  /** Of a withdrawal. */
  withdrawn_op_id: string | null;
}

type ScanValues = OwnValues & ScannerRightsValues & { scanner_id: string; key_id: string };

/** SQL of what any op reads beside its `OpInputs`. */
const selectStored = ({ user_id, op_id, athlete_id, activity_id, withdrawn_op_id }: OwnValues) => sql`
  (select jsonb_build_object('outcome', outcome, 'code', code, 'message', message, 'id', activity_id,
      'hash', encode(body_hash, 'hex'))
    from activity_ops where user_id = ${user_id} and op_id = ${op_id}) as stored,
  (select jsonb_agg(jsonb_build_object('scanner_id', scanner_id, 'op_id', op_id)) from waiting_scans
    where athlete_id = ${athlete_id} and activity_id = ${activity_id}
      or scanner_id = ${user_id} and op_id = ${withdrawn_op_id} and activity_id = ${activity_id}) as waiting_scans`;

const selectRecentScans = ({ user_id }: OwnValues) => sql`
  (select count(*) from activity_ops
    where user_id = ${user_id} and kind = 'scan' and received_at > now() - interval '1 hour')::int as recent_scans`;

/** Of the athlete's own ops, of withdrawals, and of scans that prove nothing. */
export const buildOwnLoad = (values: OwnValues) => sql<LoadedRow>`${PREPARED}
  select ${selectOpInputs(values, { is_scan: false })}, ${selectStored(values)}, ${selectRecentScans(values)},
    null::jsonb as scanner_rights, null::jsonb as device`;

export const buildScanLoad = (values: ScanValues) => sql<LoadedRow>`${PREPARED}
  select ${selectOpInputs(values, { is_scan: true })}, ${selectStored(values)}, ${selectRecentScans(values)},
    ${selectScannerRights(values)} as scanner_rights,
    (select jsonb_build_object('revoked_at', revoked_at, 'last_used_at', last_used_at)
      from devices where id = ${values.key_id}) as device`;

const compileOwnLoad = compileOnce(buildOwnLoad);
const compileScanLoad = compileOnce(buildScanLoad);

/** Reads what any op is decided by, in one statement. */
export async function loadOp(
  trx: Trx,
  context: OpContext,
  locked: Pick<LockedOp, 'user_id' | 'athlete_id' | 'op' | 'proven'>,
): Promise<LoadedOp> {
  const { user_id, athlete_id, op } = locked;
  const scan = locked.proven instanceof AppError ? undefined : locked.proven;
  const values: OwnValues = {
    ...opInputsValues({ athlete_id, activity_id: op.client_id }, reachOf(context, op, scan), canChangePoints(op)),
    ...{ user_id, op_id: op.op_id, withdrawn_op_id: op.kind === 'withdraw' ? op.scan_op_id : null },
  };
  const query = scan
    ? compileScanLoad(trx, { ...values, ...scannerRightsValues(scan), key_id: scan.code.key_id })
    : compileOwnLoad(trx, values);
  const { stored, waiting_scans, recent_scans, scanner_rights, device, ...row } = await executeOne(trx, query);
  return {
    ...parseOpInputs(row),
    stored: stored ? { ...stored, body_hash: Buffer.from(stored.hash, 'hex'), activity_id: stored.id } : undefined,
    waiting_scans: waiting_scans ?? [],
    recent_scans,
    device: device
      ? { revoked_at: parseTime(device.revoked_at), last_used_at: new Date(device.last_used_at) }
      : undefined,
    scanner_rights: scanner_rights && scan ? parseScannerRights(scanner_rights, scan.scanned_at) : undefined,
  };
}

/** No decision is in force after a start; a finish is decided only by the kiosk that it scanned. */
function canChangePoints(op: Op): boolean {
  if (op.kind === 'finish') return op.venue_scan !== undefined;
  return op.kind !== 'start' && op.kind !== 'reopen';
}

function reachOf(context: OpContext, op: Op, scan: VerifiedScan | undefined): OpScope {
  if (scan) return scanScope(context, scan);
  const started_at = op.kind === 'start' || op.kind === 'edit' ? op.started_at : undefined;
  return started_at === undefined ? {} : { started_at: new Date(started_at) };
}
