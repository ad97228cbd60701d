import { createHash } from 'node:crypto';
import type { Op } from '@sendlap/contract/activities.ts';
import { sql } from 'kysely';
import type { Database, Trx } from '#api/platform/database.ts';

export interface Outcome {
  outcome: 'accepted' | 'waiting' | 'rejected';
  code: string | null;
  message: string | null;
}

export interface StoredOutcome extends Outcome {
  body_hash: Buffer;
  activity_id: string;
}

export interface ValidationEntry {
  athlete_id: string;
  activity_id: string;
  scanner_id: string;
  op_id: string;
  method: 'referee';
  decision: 'confirm' | 'reject';
  outcome: 'accepted' | 'waiting' | 'refused';
  code: string | null;
  reason: string | null;
  /** Corrected by the scanner's clock offset. */
  scanned_at: Date;
  clock_offset_ms: number;
  clock_age_ms: number | null;
  distance_class: 'at' | 'near' | 'far' | 'unknown';
}

/** What makes two sends of one op id the same: every field of the request, in a fixed order. */
export function hashOf(request: object): Buffer {
  return createHash('sha256').update(canonicalJson(request)).digest();
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

export async function findOutcome(
  database: Database | Trx,
  user_id: string,
  op_id: string,
): Promise<StoredOutcome | undefined> {
  return database
    .selectFrom('activity_ops')
    .select(['outcome', 'code', 'message', 'body_hash', 'activity_id'])
    .where('user_id', '=', user_id)
    .where('op_id', '=', op_id)
    .executeTakeFirst();
}

export async function insertOutcome(
  trx: Trx,
  user_id: string,
  op: Op,
  stored: Outcome & { body_hash: Buffer },
): Promise<void> {
  await trx
    .insertInto('activity_ops')
    .values({ user_id, op_id: op.op_id, activity_id: op.client_id, kind: op.kind, ...stored })
    .execute();
}

/** A scan that waited has been decided. */
export async function updateOutcome(trx: Trx, user_id: string, op_id: string, outcome: Outcome): Promise<void> {
  await trx
    .updateTable('activity_ops')
    .set(outcome)
    .where('user_id', '=', user_id)
    .where('op_id', '=', op_id)
    .execute();
}

/** The activity that a scan waits for. */
interface WaitingScanKey {
  athlete_id: string;
  activity_id: string;
}

export async function insertWaitingScan(
  trx: Trx,
  scan: WaitingScanKey & { op_id: string; scanner_id: string; scan: object; received_at: Date; expires_at: Date },
): Promise<void> {
  await trx
    .insertInto('waiting_scans')
    .values({ ...scan, scan: JSON.stringify(scan.scan) })
    .execute();
}

/** Who scanned this activity before its own steps arrived; used before the lock, to know whom to lock. */
export async function listWaitingScanners(database: Database | Trx, key: WaitingScanKey): Promise<string[]> {
  const rows = await database
    .selectFrom('waiting_scans')
    .select('scanner_id')
    .distinct()
    .where('athlete_id', '=', key.athlete_id)
    .where('activity_id', '=', key.activity_id)
    .execute();
  return rows.map((row) => row.scanner_id);
}

export interface WaitingScan {
  scanner_id: string;
  op: Extract<Op, { kind: 'scan' }>;
  received_at: Date;
  expires_at: Date;
}

/** Takes the waiting scans of an activity out, the expired ones too. */
export async function takeWaitingScans(trx: Trx, key: WaitingScanKey): Promise<WaitingScan[]> {
  const rows = await trx
    .deleteFrom('waiting_scans')
    .where('athlete_id', '=', key.athlete_id)
    .where('activity_id', '=', key.activity_id)
    .returning(['scanner_id', 'scan', 'received_at', 'expires_at'])
    .execute();
  return rows.map(({ scan, ...row }) => ({ ...row, op: scan as WaitingScan['op'] }));
}

/** Scans that the user sent within the last hour, whatever became of them. */
export async function countRecentScans(trx: Trx, user_id: string): Promise<number> {
  const row = await trx
    .selectFrom('activity_ops')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', user_id)
    .where('kind', '=', 'scan')
    .where('received_at', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function logValidation(trx: Trx, entry: ValidationEntry): Promise<void> {
  await trx.insertInto('validation_log').values(entry).execute();
}

/** Scored confirmations of this referee on the center's local date: of one athlete, or of all. */
export async function countConfirmations(
  trx: Trx,
  scanner_id: string,
  on: { local_date: string; athlete_id?: string; sport_center_id?: string },
): Promise<number> {
  let query = trx
    .selectFrom('validation_log')
    .innerJoin('activities', (join) =>
      join
        .onRef('activities.id', '=', 'validation_log.activity_id')
        .onRef('activities.user_id', '=', 'validation_log.athlete_id'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('scanner_id', '=', scanner_id)
    .where('outcome', '=', 'accepted')
    .where('decision', '=', 'confirm')
    .where('local_date', '=', on.local_date)
    .where('activities.points', '>', 0);
  if (on.athlete_id) query = query.where('activities.user_id', '=', on.athlete_id);
  if (on.sport_center_id) query = query.where('activities.sport_center_id', '=', on.sport_center_id);
  return (await query.executeTakeFirstOrThrow()).count;
}
