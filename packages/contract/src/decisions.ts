import * as z from 'zod/mini';
import { Digits, withdrawFields } from './activities.ts';
import { ACTIVITY_ERRORS } from './activity-errors.ts';
import { endpoint } from './wire/endpoint.ts';
import { Cursor, Limit, page, Sport, Timestamp, Uuid } from './wire/schemas.ts';

/**
 * `in_force`: the valid decision. `overtaken`: another decision is in force. `withdrawn`: the scanner withdrew it.
 * `edited`: the athlete corrected the activity after it. `appealed`: a rejection for which the athlete asked another
 * referee.
 */
export const DecisionOutcome = z.enum(['in_force', 'overtaken', 'withdrawn', 'edited', 'appealed']);

/** My decision about another athlete's activity. */
export const GivenDecision = z.object({
  op_id: Uuid,
  /** The decided activity. */
  client_id: Uuid,
  method: z.enum(['peer', 'referee']),
  decision: z.enum(['confirm', 'reject']),
  outcome: DecisionOutcome,
  athlete: z.string(),
  sport_type: Sport,
  sport_center_name: z.string(),
  started_at: Timestamp,
  ended_at: Timestamp,
  scanned_at: Timestamp,
  can_withdraw: z.boolean(),
});
export type GivenDecision = z.infer<typeof GivenDecision>;

export const listGivenDecisions = endpoint({
  method: 'GET',
  path: '/v1/activities/decisions',
  summary: 'The decisions that I made, newest first',
  access: 'user',
  query: z.strictObject({ limit: Limit, cursor: Cursor }),
  data: page(GivenDecision),
  errors: ['cursor_invalid'],
});

export const withdrawDecision = endpoint({
  method: 'POST',
  path: '/v1/activities/:client_id/withdraw',
  summary: 'Take back a decision that I made within the last 24 hours',
  access: 'user',
  params: z.object({ client_id: Uuid }),
  body: z.strictObject(withdrawFields),
  data: z.object({ outcome: z.enum(['accepted', 'duplicate']) }),
  errors: ACTIVITY_ERRORS.withdraw,
});

export const resolveDigits = endpoint({
  method: 'POST',
  path: '/v1/activities/codes/resolve',
  summary: 'The code behind 8 typed digits, of an unvalidated activity that I may confirm',
  access: 'user',
  body: z.strictObject({ code: Digits }),
  data: z.object({ payload: z.string() }),
  limit: { max: 60, window_s: 3600 },
  errors: ['digits_unknown'],
});
