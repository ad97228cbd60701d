import { DAY_MS, HOUR_MS } from '@sendlap/domain/durations.ts';
import type { Database } from '#api/database/database.ts';
import { type AttemptLimit, createAttemptLimit } from '#api/http/attempt-limit.ts';
import { AppError } from '#api/platform/errors.ts';
import type { ClaimKey } from './store.ts';

/** Of a claimant at a center, in an hour. */
const MAILS_A_CLAIMANT = 2;
const READS_A_CLAIMANT = 6;
/** Of a claimant at all centers. */
const MAILS_A_DAY = 6;
/** For the mailboxes and the web site of a center, in an hour: more than two claimants can use up. */
const MAILS_A_CENTER = 6;
const READS_A_CENTER = 30;

interface Budget {
  limit: AttemptLimit;
  window_ms: number;
  keyOf(claim: ClaimKey): string;
}

export type ClaimBudgets = ReturnType<typeof createClaimBudgets>;

/** How much claims may cost others. A claimant's own budgets go first, so that a used-up one costs the center nothing. */
export function createClaimBudgets(database: Database) {
  const budgetOf = (keyOf: Budget['keyOf'], window_ms: number) => (name: string, max: number) => ({
    limit: createAttemptLimit(database, { name, max, window_ms }),
    window_ms,
    keyOf,
  });
  const atCenter = budgetOf(({ user_id, sport_center_id }) => `${user_id} ${sport_center_id}`, HOUR_MS);
  const ofCenter = budgetOf(({ sport_center_id }) => sport_center_id, HOUR_MS);
  const perDay = budgetOf(({ user_id }) => user_id, DAY_MS);
  const mails = [
    atCenter('claim_mails_claimant', MAILS_A_CLAIMANT),
    perDay('claim_mails_day', MAILS_A_DAY),
    ofCenter('claim_mails', MAILS_A_CENTER),
  ];
  const reads = [atCenter('claim_reads_claimant', READS_A_CLAIMANT), ofCenter('claim_reads', READS_A_CENTER)];
  return {
    /** Throws `too_many_requests`. */
    takeMail: (claim: ClaimKey) => takeFromEach(mails, claim),
    /** Throws `too_many_requests`. */
    takeRead: (claim: ClaimKey) => takeFromEach(reads, claim),
  };
}

/** Takes one from each budget, or from none: then throws `too_many_requests`. */
async function takeFromEach(budgets: Budget[], claim: ClaimKey): Promise<void> {
  const taken: Budget[] = [];
  for (const budget of budgets) {
    if (!(await budget.limit.tryConsume(budget.keyOf(claim)))) {
      for (const { limit, keyOf } of taken) await limit.refund(keyOf(claim));
      // A whole window, so that it is right for every caller.
      const refusal = { retry_after_s: budget.window_ms / 1000 };
      throw new AppError('too_many_requests', 'Too many tries for now, please wait', refusal);
    }
    taken.push(budget);
  }
}
