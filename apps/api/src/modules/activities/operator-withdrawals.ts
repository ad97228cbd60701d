import type { ErrorCode } from '@sendlap/contract/wire/errors.ts';
import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import { createEventWriter } from '#api/events/events.ts';
import { recordAudit } from '#api/modules/audit/service.ts';
import { AppError } from '#api/platform/errors.ts';
import { saveChange } from './ops/save-change.ts';
import { checkInForce, withdrawDecision } from './ops/withdraw-decision.ts';
import { loadOpInputs, lockUsers } from './record/store.ts';

/**
 * Withdraws a decision in force on behalf of an operator, however old, with a line in the audit trail. `actor_id` null:
 * the operator CLI. Throws `decision_not_found`, `decision_not_in_force`, `activity_overlap`.
 */
export async function withdrawByOperator(
  database: Database,
  decision_id: string,
  act: { actor_id: string | null; reason?: string } = { actor_id: null },
): Promise<void> {
  const known = await database
    .selectFrom('decisions')
    .select(['athlete_id', 'activity_id'])
    .where('id', '=', decision_id)
    .executeTakeFirst();
  if (!known) throw new AppError('decision_not_found', 'There is no such decision');
  // The CLI runs without a server.
  const context = { events: createEventWriter(database), now: () => new Date() };
  await context.events.transact(async (trx) => {
    await lockUsers(trx, [known.athlete_id]);
    const found = await loadOpInputs(trx, known);
    const decision = found.decisions.find(({ id }) => id === decision_id);
    if (!decision) throw new AppError('decision_not_found', 'There is no such decision');
    checkInForce(found, decision);
    const change = withdrawDecision(found, { id: decision_id, at: new Date(), because: 'operator' });
    await saveChange(trx, context, { ...change, overtaken: decision }, { badges: found.badges });
    const { scanner_id } = decision;
    await recordAudit(trx, {
      act: 'decision_withdrawn',
      ...act,
      ...(scanner_id !== null && { subject_id: scanner_id }),
    });
  });
}

/** A decision that could not be withdrawn, and the reason. */
export interface SkippedDecision {
  decision_id: string;
  code: ErrorCode;
  message: string;
}

/**
 * For a referee who lost their right for good reason: withdraws all their decisions in force at the center since then,
 * each in its own transaction. Returns the decisions that could not be withdrawn.
 */
export async function withdrawRefereeDecisions(
  database: Database,
  { user_id, sport_center_id, since }: { user_id: string; sport_center_id: string; since: Date },
): Promise<{ withdrawn: number; passed_over: SkippedDecision[] }> {
  const rows = await database
    .selectFrom('decisions')
    .innerJoin('activities', (join) =>
      join
        .onRef('activities.user_id', '=', 'decisions.athlete_id')
        .onRef('activities.decision_id', '=', 'decisions.id'),
    )
    .select('decisions.id')
    .where('decisions.scanner_id', '=', user_id)
    .where('decisions.method', '=', 'referee')
    .where('decisions.scanned_at', '>=', since)
    .where(sql<string>`decisions.facts ->> 'sport_center_id'`, '=', sport_center_id)
    .execute();
  let withdrawn = 0;
  const passed_over: SkippedDecision[] = [];
  for (const { id } of rows) {
    try {
      await withdrawByOperator(database, id);
      withdrawn += 1;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // Already not in force: nothing to withdraw.
      if (error.code === 'decision_not_in_force') continue;
      passed_over.push({ decision_id: id, code: error.code, message: error.message });
    }
  }
  return { withdrawn, passed_over };
}
