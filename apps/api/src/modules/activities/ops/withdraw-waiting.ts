import type { Op } from '@sendlap/contract/activities.ts';
import { sql } from 'kysely';
import type { Trx } from '#api/database/database.ts';
import { keepParts } from '#api/events/event-store.ts';
import { AppError } from '#api/platform/errors.ts';
import { refuseWaitingScans } from '../proofs/waiting-store.ts';
import type { OpContext } from '../record/context.ts';
import { ACCEPTED, scanDecided } from '../record/refusals.ts';
import { runParts, stepParts } from '../record/write.ts';
import type { SentOp } from './load.ts';

const TAKEN_BACK = new AppError('scan_withdrawn', 'This scan was taken back before it was decided');

/**
 * Withdraws a scan that still waits for the athlete's ops: it is never decided, and its own outcome says so. Returns
 * false and writes nothing if no such scan of this user waits.
 */
export async function withdrawWaiting(
  trx: Trx,
  context: Pick<OpContext, 'events'>,
  { user_id, op, body_hash }: SentOp,
  { client_id, scan_op_id }: Extract<Op, { kind: 'withdraw' }>,
): Promise<boolean> {
  const condition = sql`op_id = ${scan_op_id} and activity_id = ${client_id}`;
  const taken = await refuseWaitingScans(trx, user_id, condition, TAKEN_BACK);
  if (taken.length === 0) return false;
  const news = [scanDecided(user_id, scan_op_id, 'rejected', TAKEN_BACK.code)];
  const step = { user_id, op_id: op.op_id, activity_id: client_id, kind: op.kind, body_hash, ...ACCEPTED };
  await runParts(trx, [...stepParts({ ops: [step] }), ...keepParts(news)]);
  context.events.tell(trx, news, []);
  return true;
}
