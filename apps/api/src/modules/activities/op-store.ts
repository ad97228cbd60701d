import { createHash } from 'node:crypto';
import type { Op } from '@sendlap/contract/activities.ts';
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

/** What makes two sends of one op id the same: every field of it, in a fixed order. */
export function hashOf(op: Op): Buffer {
  return createHash('sha256').update(canonicalJson(op)).digest();
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

export async function insertOutcome(trx: Trx, user_id: string, op: Op, outcome: Outcome): Promise<void> {
  await trx
    .insertInto('activity_ops')
    .values({ user_id, op_id: op.op_id, activity_id: op.client_id, kind: op.kind, body_hash: hashOf(op), ...outcome })
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

export async function insertWaitingScan(
  trx: Trx,
  scan: { op_id: string; scanner_id: string; activity_id: string; scan: object; received_at: Date; expires_at: Date },
): Promise<void> {
  await trx
    .insertInto('waiting_scans')
    .values({ ...scan, scan: JSON.stringify(scan.scan) })
    .execute();
}

/** Who scanned this activity before its own steps arrived; used before the lock, to know whom to lock. */
export async function listWaitingScanners(database: Database | Trx, activity_id: string): Promise<string[]> {
  const rows = await database
    .selectFrom('waiting_scans')
    .select('scanner_id')
    .distinct()
    .where('activity_id', '=', activity_id)
    .execute();
  return rows.map((row) => row.scanner_id);
}

export interface WaitingScan {
  scanner_id: string;
  op: Extract<Op, { kind: 'scan' }>;
  received_at: Date;
}

/** Takes the waiting scans of an activity out, those that are not too old by `now`. */
export async function takeWaitingScans(trx: Trx, activity_id: string, now: Date): Promise<WaitingScan[]> {
  const rows = await trx
    .deleteFrom('waiting_scans')
    .where('activity_id', '=', activity_id)
    .returning(['scanner_id', 'scan', 'received_at', 'expires_at'])
    .execute();
  return rows
    .filter((row) => row.expires_at > now)
    .map((row) => ({ scanner_id: row.scanner_id, op: row.scan as WaitingScan['op'], received_at: row.received_at }));
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
    .innerJoin('activities', 'activities.id', 'validation_log.activity_id')
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
