import type { Op } from '@sendlap/contract/activities.ts';
import { sql } from 'kysely';
import type { Trx } from '#api/platform/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { type KeptFor, keepParts } from '#api/platform/event-store.ts';
import type { OpContext } from '../context.ts';
import { ACCEPTED } from '../refusals.ts';
import { runParts, stepParts } from '../write.ts';
import type { SentOp } from './op-store.ts';

const TAKEN_BACK = new AppError('scan_withdrawn', 'This scan was taken back before it was decided');

/**
 * Takes back a scan that still waits for the athlete's steps: it is never decided, and its own outcome says so. False,
 * and nothing written, when no such scan of this user waits.
 */
export async function withdrawWaiting(
  trx: Trx,
  context: Pick<OpContext, 'events'>,
  { user_id, op, body_hash }: SentOp,
  { client_id, scan_op_id }: Extract<Op, { kind: 'withdraw' }>,
): Promise<boolean> {
  const { code, message } = TAKEN_BACK;
  const { numAffectedRows } = await sql`
    with taken as (
      delete from waiting_scans
      where scanner_id = ${user_id} and op_id = ${scan_op_id} and activity_id = ${client_id}
      returning scanner_id, op_id, athlete_id, activity_id
    ), logged as (
      insert into validation_log (athlete_id, activity_id, scanner_id, op_id, method, decision, outcome, code, scanned_at,
        clock_offset_ms, clock_age_ms, distance_class)
      select athlete_id, activity_id, scanner_id, op_id, method, decision, 'refused', ${code}, scanned_at,
        clock_offset_ms, clock_age_ms, distance_class
      from validation_log join taken using (athlete_id, activity_id, scanner_id, op_id) where outcome = 'waiting'
    )
    update activity_ops o set outcome = 'rejected', code = ${code}, message = ${message}
    from taken where o.user_id = taken.scanner_id and o.op_id = taken.op_id`.execute(trx);
  if (!numAffectedRows) return false;
  const news: KeptFor[] = [{ user_id, event: { type: 'scan_decided', op_id: scan_op_id, outcome: 'rejected', code } }];
  const step = { user_id, op_id: op.op_id, activity_id: client_id, kind: op.kind, body_hash, ...ACCEPTED };
  await runParts(trx, [...stepParts({ ops: [step] }), ...keepParts(news)]);
  context.events.tell(trx, news, []);
  return true;
}
