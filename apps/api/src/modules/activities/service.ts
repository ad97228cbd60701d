import type {
  ActivityDetail,
  listActivities as listEndpoint,
  Op,
  OpResult,
  validateActivity as validateEndpoint,
} from '@sendlap/contract/activities.ts';
import type { ParsedRequest } from '@sendlap/contract/wire/endpoint.ts';
import { isErrorCode } from '@sendlap/contract/wire/errors.ts';
import { fromBase64Url } from '@sendlap/domain/bytes.ts';
import { decodeCode } from '@sendlap/domain/qr-code.ts';
import { AppError } from '#api/platform/errors.ts';
import { listGivenDecisions, type Paging } from './given-decisions.ts';
import { findRepeatedResult, hashOf } from './ops/outcomes.ts';
import { receiveOp, receiveOps } from './ops/receive.ts';
import { createDigitResolver, type FoundCode } from './proofs/digit-resolver.ts';
import { listLedger, listProofs } from './proofs/read-proofs.ts';
import type { OpContext } from './record/context.ts';
import { presentActivity } from './record/present-activity.ts';
import { rowOrThrow } from './record/refusals.ts';
import { findActivity, listActivities } from './record/store.ts';

type ScanRequest = ParsedRequest<typeof validateEndpoint>['body'];

/** The result of an op that was not refused. */
type UnrefusedResult = OpResult & { outcome: Exclude<OpResult['outcome'], 'rejected'> };

export type ActivityService = ReturnType<typeof createActivityService>;

export function createActivityService(context: OpContext) {
  const resolveDigits = createDigitResolver(context);
  return {
    /** One op as its own call: refusals are thrown. */
    receiveOp: async (user_id: string, op: Op) => throwIfRefused(await receiveOp(context, user_id, op)),
    /** Queued ops in order; each has its own outcome, and a refused op does not stop the others. */
    receiveOps: (user_id: string, ops: Op[]) => receiveOps(context, user_id, ops),
    async listActivities(user_id: string, query: ParsedRequest<typeof listEndpoint>['query']) {
      const { shown, next_cursor } = await listActivities(context.database, user_id, query);
      return { items: shown.map(presentActivity), next_cursor };
    },
    /** Throws `activity_not_found`, also for a deleted activity. */
    async getActivity(user_id: string, client_id: string): Promise<ActivityDetail> {
      const row = rowOrThrow(await findActivity(context.database, user_id, client_id));
      if (row.status === 'deleted') throw new AppError('activity_not_found', 'Activity not found');
      const [proofs, ledger] = await Promise.all([
        listProofs(context.database, row),
        listLedger(context.database, { athlete_id: user_id, activity_id: row.id }),
      ]);
      return { ...presentActivity(row), proofs, ledger };
    },
    /** Lists this user's decisions about others' activities, newest first. */
    listGivenDecisions: (user_id: string, paging: Paging) =>
      listGivenDecisions(context.database, user_id, paging, context.now()),
    /**
     * Returns the code with its MAC (base64url) that matches 8 digits. Throws `digits_unknown`, `too_many_requests`.
     */
    resolveDigits,
    /** A scan as its own call, by the scanned code or by the typed digits of that code. */
    validateActivity: async (user_id: string, request: ScanRequest) =>
      throwIfRefused(await validateActivity(context, resolveDigits, user_id, request)),
  };
}

type ResolveDigits = ReturnType<typeof createDigitResolver>;

async function validateActivity(
  context: OpContext,
  resolveDigits: ResolveDigits,
  user_id: string,
  request: ScanRequest,
): Promise<OpResult> {
  const { code, payload, ...scan } = request;
  const found_code =
    code === undefined
      ? parsePayload(payload ?? '')
      : await replayOrResolveDigits(context, resolveDigits, user_id, request, code);
  if ('outcome' in found_code) return found_code;
  const op: Op = { ...scan, kind: 'scan', client_id: found_code.activity_id, payload: found_code.payload };
  return receiveOp(context, user_id, op, request);
}

/**
 * Looks the digits up only for a new request: by the time of a repeat they may be gone, and repeats are compared by the
 * request as sent.
 */
async function replayOrResolveDigits(
  context: OpContext,
  resolveDigits: ResolveDigits,
  user_id: string,
  request: ScanRequest,
  digits: string,
): Promise<OpResult | FoundCode> {
  const findReplay = () => findRepeatedResult(context.database, user_id, request.op_id, hashOf(request));
  const known = await findReplay();
  if (known) return known;
  try {
    return await resolveDigits(user_id, digits);
  } catch (error) {
    // A copy of this request may have completed while its digits were looked up here.
    const done = await findReplay();
    if (done) return done;
    throw error;
  }
}

function parsePayload(payload: string): FoundCode {
  const bytes = fromBase64Url(payload);
  const read = bytes && decodeCode(bytes);
  if (!read) throw new AppError('code_unreadable', 'This is not a code of this app');
  if (read.kind !== 'activity') throw new AppError('code_kind_unsupported', 'This code does not show an activity');
  return { payload, activity_id: read.code.activity_id };
}

function throwIfRefused({ outcome, ...result }: OpResult): UnrefusedResult {
  if (outcome !== 'rejected') return { ...result, outcome };
  const code = isErrorCode(result.code) ? result.code : 'bad_request';
  throw new AppError(code, result.message ?? 'This change cannot be applied');
}
