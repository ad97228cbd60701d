import { createHash } from 'node:crypto';
import type { OpResult } from '@sendlap/contract/activities.ts';
import { isRecord } from '@sendlap/contract/wire/json-record.ts';
import type { Database, Trx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { presentActivity } from '../record/present-activity.ts';
import type { OpOutcome } from '../record/refusals.ts';
import { type ActivityRow, findActivity } from '../record/store.ts';
import type { LockedOp, StoredOutcome } from './stages.ts';

/** Hash that identifies a request: every field, in a fixed order. */
export function hashOf(request: object): Buffer {
  const text = JSON.stringify(request, (_key, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
  return createHash('sha256').update(text).digest();
}

/** Builds the result of an op. `row` is for the activity's own athlete only: a scanner gets the outcome alone. */
export function resultOf(op_id: string, outcome: OpOutcome, row: ActivityRow | undefined): OpResult {
  return {
    op_id,
    outcome: outcome.outcome,
    ...(outcome.code ? { code: outcome.code } : {}),
    ...(outcome.message ? { message: outcome.message } : {}),
    activity: row ? presentActivity(row) : null,
  };
}

/** Returns the result of an op that was saved before. Throws `idempotency_mismatch` if its request was another one. */
export async function repeatedResult(
  executor: Database | Trx,
  { user_id, op, body_hash }: Pick<LockedOp, 'user_id' | 'body_hash'> & { op: { op_id: string } },
  stored: StoredOutcome,
): Promise<OpResult> {
  if (!stored.body_hash.equals(body_hash)) {
    throw new AppError('idempotency_mismatch', 'This op_id was used for something else');
  }
  const result = resultOf(op.op_id, stored, await findActivity(executor, user_id, stored.activity_id));
  return stored.outcome === 'accepted' ? { ...result, outcome: 'duplicate' } : result;
}

/** Returns the result of a request if it was saved before, undefined for a new one. Throws `idempotency_mismatch`. */
export async function findRepeatedResult(
  database: Database,
  user_id: string,
  op_id: string,
  body_hash: Buffer,
): Promise<OpResult | undefined> {
  const stored = await database
    .selectFrom('activity_ops')
    .select(['outcome', 'code', 'message', 'body_hash', 'activity_id'])
    .where('user_id', '=', user_id)
    .where('op_id', '=', op_id)
    .executeTakeFirst();
  return stored && repeatedResult(database, { user_id, op: { op_id }, body_hash }, stored);
}

/** Stores the final outcome of a scan that arrived before the athlete's ops. */
export async function updateOutcome(trx: Trx, user_id: string, op_id: string, outcome: OpOutcome): Promise<void> {
  await trx
    .updateTable('activity_ops')
    .set({ outcome: outcome.outcome, code: outcome.code, message: outcome.message })
    .where('user_id', '=', user_id)
    .where('op_id', '=', op_id)
    .execute();
}
