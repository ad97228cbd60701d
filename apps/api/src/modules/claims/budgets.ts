import { DAY_MS, HOUR_MS } from '@sendlap/domain/durations.ts';
import type { Database } from '#api/database/database.ts';
import { type AttemptLimit, createAttemptLimit } from '#api/http/attempt-limit.ts';
import { AppError } from '#api/platform/errors.ts';
import type { ClaimKey } from './store.ts';

/** Of a claimant at a center, in an hour. */
const MAILS_A_CLAIMANT = 2;
const READS_A_CLAIMANT = 6;
/** Of a claimant at all centers. */
const CLAIM_MAILS_A_DAY = 6;
const CLAIM_READS_A_DAY = 48;
/** For the mailboxes and the web site of a center, in an hour: more than two claimants can use up. */
const MAILS_A_CENTER = 6;
const READS_A_CENTER = 30;

interface Budget {
  limit: AttemptLimit;
  window_ms: number;
  /** Of one claimant. */
  is_own: boolean;
  keyOf(claim: ClaimKey): string;
}

export type ClaimBudgets = ReturnType<typeof createClaimBudgets>;

/**
 * How much claims may cost others. A claimant's own budgets go first, so that a used-up one costs the center nothing.
 */
export function createClaimBudgets(database: Database) {
  const budgetOf = (kind: Omit<Budget, 'limit'>) => (name: string, max: number) => ({
    ...kind,
    limit: createAttemptLimit(database, { name, max, window_ms: kind.window_ms }),
  });
  const perClaimant = budgetOf({
    keyOf: ({ user_id, sport_center_id }) => `${user_id} ${sport_center_id}`,
    window_ms: HOUR_MS,
    is_own: true,
  });
  const perCenter = budgetOf({ keyOf: ({ sport_center_id }) => sport_center_id, window_ms: HOUR_MS, is_own: false });
  const perDay = budgetOf({ keyOf: ({ user_id }) => user_id, window_ms: DAY_MS, is_own: true });
  const mails = [
    perClaimant('claim_mails_claimant', MAILS_A_CLAIMANT),
    perDay('claim_mails_day', CLAIM_MAILS_A_DAY),
    perCenter('claim_mails', MAILS_A_CENTER),
  ];
  const reads = [
    perClaimant('claim_reads_claimant', READS_A_CLAIMANT),
    perDay('claim_reads_day', CLAIM_READS_A_DAY),
    perCenter('claim_reads', READS_A_CENTER),
  ];
  return {
    /** Throws `too_many_requests`. */
    takeMail: (claim: ClaimKey) => takeFromEach(mails, claim),
    /** For a mail that was taken, and was not sent. */
    refundMail: (claim: ClaimKey) => refundEach(mails, claim),
    /** Throws `too_many_requests`. */
    takeRead: (claim: ClaimKey) => takeFromEach(reads, claim),
  };
}

/** Takes one from each budget, or from none: then throws `too_many_requests`. */
async function takeFromEach(budgets: Budget[], claim: ClaimKey): Promise<void> {
  const taken: Budget[] = [];
  for (const budget of budgets) {
    // A refused one is counted too: if it stayed so, refunds of mails would free nothing.
    taken.push(budget);
    const left_ms = await budget.limit.consume(budget.keyOf(claim));
    if (left_ms === undefined) continue;
    await refundEach(taken, claim);
    // The rest of a center's window would tell when others have claimed it.
    const wait_ms = budget.is_own ? left_ms : budget.window_ms;
    const refusal = { retry_after_s: Math.max(1, Math.ceil(wait_ms / 1000)) };
    throw new AppError('too_many_requests', 'Too many tries for now, please wait', refusal);
  }
}

async function refundEach(budgets: Budget[], claim: ClaimKey): Promise<void> {
  for (const { limit, keyOf } of budgets) await limit.refund(keyOf(claim));
}
