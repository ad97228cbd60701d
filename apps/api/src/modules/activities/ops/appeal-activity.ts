import type { Op } from '@sendlap/contract/activities.ts';
import { nextState } from '@sendlap/domain/activity-states.ts';
import type { Trx } from '#api/database/database.ts';
import type { UserEvent } from '#api/events/event-store.ts';
import { redistributePoints, withDecisions } from '../points/redistribute-points.ts';
import { assertNoOverlap, assertNotInFuture } from '../record/checks.ts';
import type { OpContext } from '../record/context.ts';
import { refusalOf, rowOrThrow } from '../record/refusals.ts';
import type { ActivityRow, DecisionRow, OpInputs } from '../record/store.ts';
import type { Change } from './stages.ts';

type AppealOp = Extract<Op, { kind: 'appeal' }>;

/** From now on another referee may decide, and the referees who can are notified; once per activity. */
export async function appealActivity(trx: Trx, context: OpContext, op: AppealOp, found: OpInputs): Promise<Change> {
  const before = rowOrThrow(found.row);
  const next = nextState(before.status, 'appeal', { appeal_used: before.appealed_at !== null });
  if ('error' in next) throw refusalOf(next.error);
  const now = context.now();
  const said = new Date(op.appealed_at);
  assertNotInFuture(said, now);
  const rejection = found.decisions.find(({ id }) => id === before.decision_id);
  // Clocks differ a little: clamp the appeal between the rejection and now.
  const at = said < now ? said : now;
  const earliest = new Date((rejection?.scanned_at.getTime() ?? 0) + 1);
  const appealed: ActivityRow = {
    ...before,
    appealed_at: at > earliest ? at : earliest,
    appeal_reason: op.reason ?? null,
  };
  const row = withDecisions(appealed, found.decisions);
  assertNoOverlap(context.sport_centers, row, found.others);
  const redistribution = redistributePoints(before, row, found.others);
  return {
    before,
    row: redistribution.row,
    redistribution,
    news: await questionsTo(trx, context, redistribution.row, found.decisions),
  };
}

/** Notifies each referee of the center who has not rejected the activity; names the center, not the athlete. */
async function questionsTo(
  trx: Trx,
  { referees, now }: OpContext,
  { user_id, sport_center_id, sport_center_name, sport_type }: ActivityRow,
  decisions: DecisionRow[],
): Promise<UserEvent[]> {
  const said_no = new Set(
    decisions.filter(({ decision }) => decision === 'reject').map(({ scanner_id }) => scanner_id),
  );
  const asked = await referees.listReferees(trx, { sport_center_id, sport_type }, now());
  return asked
    .filter((id) => id !== user_id && !said_no.has(id))
    .map((id) => ({ user_id: id, event: { type: 'appeal_asked', sport_center_name, sport_type } }));
}
