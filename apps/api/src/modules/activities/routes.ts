import {
  type Activity,
  appealActivity,
  deleteActivity,
  editActivity,
  finishActivity,
  getActivity,
  listActivities,
  type OpResult,
  startActivity,
  syncActivities,
  validateActivity,
} from '@sendlap/contract/activities.ts';
import { listGivenDecisions, resolveDigits, withdrawDecision } from '@sendlap/contract/decisions.ts';
import type { HttpExchange, Route } from '#api/http/route.ts';
import { AppError } from '#api/platform/errors.ts';
import { refusals, repeated_ops } from '#api/platform/measurements.ts';
import type { ActivityService } from './service.ts';

export function mountActivities(route: Route, activities: ActivityService): void {
  route(startActivity, async ({ body }, caller, http) =>
    replyWithActivity(await activities.receiveOp(caller.user_id, { kind: 'start', ...body }), http),
  );
  route(finishActivity, async ({ params, body }, caller, http) =>
    replyWithActivity(await activities.receiveOp(caller.user_id, { kind: 'finish', ...params, ...body }), http),
  );
  route(editActivity, async ({ params, body }, caller, http) =>
    replyWithActivity(await activities.receiveOp(caller.user_id, { kind: 'edit', ...params, ...body }), http),
  );
  route(deleteActivity, async ({ params, body }, caller, http) =>
    replyWithActivity(await activities.receiveOp(caller.user_id, { kind: 'delete', ...params, ...body }), http),
  );
  route(appealActivity, async ({ params, body }, caller, http) =>
    replyWithActivity(await activities.receiveOp(caller.user_id, { kind: 'appeal', ...params, ...body }), http),
  );
  route(withdrawDecision, async ({ params, body }, caller, http) => {
    const result = await activities.receiveOp(caller.user_id, { kind: 'withdraw', ...params, ...body });
    markReplay(result, http);
    return { outcome: result.outcome === 'duplicate' ? ('duplicate' as const) : ('accepted' as const) };
  });
  route(listGivenDecisions, ({ query }, caller) => activities.listGivenDecisions(caller.user_id, query));
  route(listActivities, ({ query }, caller) => activities.listActivities(caller.user_id, query));
  route(getActivity, ({ params }, caller) => activities.getActivity(caller.user_id, params.client_id));
  route(syncActivities, async ({ body }, caller) => {
    const results = await activities.receiveOps(caller.user_id, body.ops);
    results.forEach(reportOutcome);
    return { results };
  });
  route(resolveDigits, async ({ body }, caller) => {
    const { payload } = await activities.resolveDigits(caller.user_id, body.code);
    return { payload };
  });
  route(validateActivity, async ({ body }, caller, http) => {
    const result = await activities.validateActivity(caller.user_id, body);
    markReplay(result, http);
    if (result.outcome === 'waiting') http.reply.code(202);
    return { outcome: result.outcome, activity: result.activity ?? null };
  });
}

function replyWithActivity(result: OpResult, http: HttpExchange): Activity {
  markReplay(result, http);
  if (!result.activity) throw new AppError('activity_not_found', 'Activity not found');
  return result.activity;
}

/** For the metrics: a reply to many ops has no status and no header of its own for each. */
function reportOutcome({ outcome, code }: OpResult): void {
  if (outcome === 'duplicate') repeated_ops.report({ route: syncActivities.path });
  if (outcome === 'rejected' && code) refusals.report({ of: 'op', code });
}

function markReplay(result: OpResult, http: HttpExchange): void {
  if (result.outcome === 'duplicate') http.reply.header('idempotent-replay', 'true');
}
