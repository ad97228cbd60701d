import type { Database, Trx } from '#api/platform/database.ts';
import type { ActivityKey } from '../store.ts';
import type { ProvenScan, ScanOp } from './prove-scan.ts';

const WAITING_MS = 14 * 86_400_000;

export async function insertWaitingScan(trx: Trx, scan: ProvenScan): Promise<void> {
  await trx
    .insertInto('waiting_scans')
    .values({
      op_id: scan.op.op_id,
      scanner_id: scan.scanner_id,
      athlete_id: scan.athlete_id,
      activity_id: scan.code.activity_id,
      scan: JSON.stringify(scan.op),
      received_at: scan.received_at,
      expires_at: new Date(scan.received_at.getTime() + WAITING_MS),
    })
    .execute();
}

/** Who scanned these activities before their own steps arrived; used before the lock, to know whom to lock. */
export async function listWaitingScanners(
  database: Database | Trx,
  athlete_id: string,
  activity_ids: string[],
): Promise<string[]> {
  if (activity_ids.length === 0) return [];
  const rows = await database
    .selectFrom('waiting_scans')
    .select('scanner_id')
    .distinct()
    .where('athlete_id', '=', athlete_id)
    .where('activity_id', 'in', activity_ids)
    .execute();
  return rows.map((row) => row.scanner_id);
}

export interface WaitingScan {
  scanner_id: string;
  op: ScanOp;
  received_at: Date;
  expires_at: Date;
}

/** Takes the waiting scans of an activity out, the expired ones too. */
export async function takeWaitingScans(trx: Trx, key: ActivityKey): Promise<WaitingScan[]> {
  const rows = await trx
    .deleteFrom('waiting_scans')
    .where('athlete_id', '=', key.athlete_id)
    .where('activity_id', '=', key.activity_id)
    .returning(['scanner_id', 'scan', 'received_at', 'expires_at'])
    .execute();
  return rows.map(({ scan, ...row }) => ({ ...row, op: scan as ScanOp }));
}
