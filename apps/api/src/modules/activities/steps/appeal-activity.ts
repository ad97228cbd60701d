import type { Op } from '@sendlap/contract/activities.ts';
import { nextState } from '@sendlap/domain/activity-states.ts';
import { checkNotInFuture, checkOverlap } from '../checks.ts';
import type { OpContext } from '../context.ts';
import { refusalOf, rowOrThrow } from '../refusals.ts';
import { settle, withDecisions } from '../settle.ts';
import type { ActivityCase, ActivityRow } from '../store.ts';
import type { Done } from './done.ts';

type AppealOp = Extract<Op, { kind: 'appeal' }>;

/** From now on another referee may decide; once in the life of an activity. */
export function appealActivity(context: OpContext, op: AppealOp, found: ActivityCase): Done {
  const before = rowOrThrow(found.row);
  const next = nextState(before.status, 'appeal', { appeal_used: before.appealed_at !== null });
  if ('error' in next) throw refusalOf(next.error);
  const said = new Date(op.appealed_at);
  checkNotInFuture(said, context.now());
  const rejection = found.decisions.find(({ id }) => id === before.decision_id);
  // Nobody appeals what has not happened; clocks are a little apart.
  const earliest = new Date((rejection?.scanned_at.getTime() ?? 0) + 1);
  const appealed: ActivityRow = {
    ...before,
    appealed_at: said > earliest ? said : earliest,
    appeal_reason: op.reason ?? null,
  };
  const row = withDecisions(appealed, found.decisions);
  checkOverlap(context.sport_centers, row, found.others);
  const settled = settle(before, row, found.others);
  return { before, row: settled.row, settled };
}
