import type { Activity, Op, OpResult } from '@sendlap/contract/activities.ts';
import { isErrorCode } from '@sendlap/contract/errors.ts';
import { isUuidV4 } from '@sendlap/domain/ids.ts';
import { AppError } from '#api/platform/errors.ts';
import { applyOp, type OpContext } from './apply-op.ts';
import { presentActivity } from './present-activity.ts';
import { createDigitResolver } from './resolve-digits.ts';
import { type ActivityFilter, findActivity, listActivities } from './store.ts';

export interface ActivityQuery extends Omit<ActivityFilter, 'from' | 'to' | 'after'> {
  from?: string | undefined;
  to?: string | undefined;
  cursor?: string | undefined;
}

/** A step that was not refused. */
export type CarriedOut = OpResult & { outcome: Exclude<OpResult['outcome'], 'rejected'> };

export interface ActivityService {
  /** One step, as its own call: refusals are thrown. */
  applyStep(user_id: string, op: Op): Promise<CarriedOut>;
  /** Queued steps in order; each has its own outcome, one refused step does not stop the others. */
  syncActivities(user_id: string, ops: Op[]): Promise<OpResult[]>;
  listActivities(user_id: string, query: ActivityQuery): Promise<{ items: Activity[]; next_cursor: string | null }>;
  getActivity(user_id: string, client_id: string): Promise<Activity>;
  /** The sealed code (base64url) that 8 digits stand for. Throws `digits_unknown`, `too_many_requests`. */
  resolveDigits(user_id: string, digits: string): Promise<{ payload: string; activity_id: string }>;
}

export function createActivityService(context: OpContext): ActivityService {
  const resolveDigits = createDigitResolver(context);
  return {
    applyStep: async (user_id, op) => orThrow(await applyOp(context, user_id, op)),
    async syncActivities(user_id, ops) {
      const results: OpResult[] = [];
      for (const op of ops) results.push(await applyQueued(context, user_id, op));
      return results;
    },
    async listActivities(user_id, { cursor, from, to, ...filter }) {
      const rows = await listActivities(context.database, user_id, {
        ...filter,
        from: from ? new Date(from) : undefined,
        to: to ? new Date(to) : undefined,
        after: readCursor(cursor),
        limit: filter.limit + 1,
      });
      const items = rows.slice(0, filter.limit);
      const last = items.at(-1);
      const next_cursor = rows.length > filter.limit && last ? `${last.started_at.getTime()}_${last.id}` : null;
      return { items: items.map(presentActivity), next_cursor };
    },
    async getActivity(user_id, client_id) {
      const row = await findActivity(context.database, client_id);
      if (!row || row.user_id !== user_id) throw new AppError('activity_not_found', 'Activity not found');
      return presentActivity(row);
    },
    resolveDigits,
  };
}

async function applyQueued(context: OpContext, user_id: string, op: Op): Promise<OpResult> {
  try {
    return await applyOp(context, user_id, op);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return { op_id: op.op_id, outcome: 'rejected', code: error.code, message: error.message };
  }
}

function orThrow({ outcome, ...result }: OpResult): CarriedOut {
  if (outcome !== 'rejected') return { ...result, outcome };
  const code = isErrorCode(result.code) ? result.code : 'bad_request';
  throw new AppError(code, result.message ?? 'This step cannot be carried out');
}

function readCursor(cursor: string | undefined): ActivityFilter['after'] {
  if (cursor === undefined) return undefined;
  const match = /^(\d{1,15})_(.+)$/.exec(cursor);
  if (!match || !isUuidV4(match[2])) throw new AppError('cursor_invalid', 'The cursor is not one of ours');
  return { started_at: new Date(Number(match[1])), id: match[2] };
}
