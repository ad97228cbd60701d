import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import { PREPARED, PREPARED_DEFERRED } from '#api/database/statement-pipeline.ts';
import type { ActivityKey } from '../record/store.ts';
import type { ScanOp, VerifiedScan } from './verify-scan.ts';

/** Counted from the scan: a scan can be sent for 14 days, so it waits no longer than that. */
const MAX_WAIT_MS = 14 * 86_400_000;

/** An error is thrown by the transaction's next statement or commit. */
export async function insertWaitingScan(trx: Trx, scan: VerifiedScan): Promise<void> {
  const { op, scanner_id, athlete_id, code, received_at, scanned_at } = scan;
  const expires_at = new Date(scanned_at.getTime() + MAX_WAIT_MS);
  await sql`${PREPARED_DEFERRED}
    insert into waiting_scans (op_id, scanner_id, athlete_id, activity_id, scan, received_at, expires_at)
    values (${op.op_id}, ${scanner_id}, ${athlete_id}, ${code.activity_id}, ${JSON.stringify(op)}, ${received_at},
      ${expires_at})`.execute(trx);
}

/**
 * Lists the scanners whose scans of these activities wait for the athlete's ops; read before locking, to know whom to
 * lock.
 */
export async function listScannersWithWaitingScans(
  database: Database | Trx,
  athlete_id: string,
  activity_ids: string[],
): Promise<string[]> {
  if (activity_ids.length === 0) return [];
  return listScanners(database, sql`athlete_id = ${athlete_id} and activity_id = any(${activity_ids}::uuid[])`);
}

export interface WaitingScan {
  scanner_id: string;
  op: ScanOp;
  received_at: Date;
  expires_at: Date;
}

/** Removes and returns the waiting scans of an activity, expired ones included. */
export async function takeWaitingScans(trx: Trx, key: ActivityKey): Promise<WaitingScan[]> {
  const rows = await trx
    .deleteFrom('waiting_scans')
    .where('athlete_id', '=', key.athlete_id)
    .where('activity_id', '=', key.activity_id)
    .returning(['scanner_id', 'scan', 'received_at', 'expires_at'])
    .execute();
  return rows.map(({ scan, ...row }) => ({ ...row, op: scan as ScanOp }));
}

/** Lists scanners whose scan waits for an activity that will not arrive. */
export function listScannersWithExpiredScans(database: Database, now: Date): Promise<string[]> {
  return listScanners(database, sql`expires_at <= ${now}`);
}

async function listScanners(database: Database | Trx, condition: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ scanner_id: string }>`${PREPARED}
    select distinct scanner_id from waiting_scans where ${condition}`.execute(database);
  return rows.map((row) => row.scanner_id);
}

/**
 * Removes the scanner's waiting scans that match the condition, refuses their ops and logs that. Returns the op ids.
 * The caller holds the scanner's lock.
 */
export async function refuseWaitingScans(
  trx: Trx,
  scanner_id: string,
  condition: RawBuilder<unknown>,
  refusal: { code: string; message: string },
): Promise<string[]> {
  const { rows } = await sql<{ op_id: string }>`
    with taken as (
      delete from waiting_scans where scanner_id = ${scanner_id} and ${condition}
      returning op_id, athlete_id, activity_id
    ), refused as (
      update activity_ops o set outcome = 'rejected', code = ${refusal.code}, message = ${refusal.message}
      from taken t where o.user_id = ${scanner_id} and o.op_id = t.op_id
    ), logged as (
      insert into validation_log (athlete_id, activity_id, scanner_id, kiosk_id, op_id, method, decision, outcome, code,
        scanned_at, clock_offset_ms, clock_age_ms, distance_class)
      select athlete_id, activity_id, scanner_id, kiosk_id, op_id, method, decision, 'refused', ${refusal.code},
        scanned_at, clock_offset_ms, clock_age_ms, distance_class
      from validation_log join taken using (athlete_id, activity_id, op_id)
      where scanner_id = ${scanner_id} and outcome = 'waiting'
    )
    select op_id from taken`.execute(trx);
  return rows.map((row) => row.op_id);
}
