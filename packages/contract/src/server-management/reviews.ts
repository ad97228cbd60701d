import * as z from 'zod/mini';
import { endpoint } from '../wire/endpoint.ts';
import { Empty, page, Sport, Timestamp, Uuid } from '../wire/schemas.ts';
import { PersonRef, Reason } from './people.ts';

export const ReviewKind = z.enum([
  'reciprocal_pair',
  'many_refusals',
  'only_rejections',
  'one_athlete',
  'shared_codes',
]);
export type ReviewKind = z.infer<typeof ReviewKind>;

/** Suspicious decisions of the last 90 days. A review changes nothing by itself. */
export const Review = z.object({
  kind: ReviewKind,
  scanner: PersonRef,
  /** The only athlete of the decisions, or the other user of the pair. Of shared codes: the account that counts less. */
  athlete: z.nullable(PersonRef),
  count: z.number(),
  /** The newest decisions in force, at most 20. */
  decisions: z.array(
    z.object({
      id: Uuid,
      scanned_at: Timestamp,
      decision: z.enum(['confirm', 'reject']),
      athlete: PersonRef,
      sport_type: Sport,
      sport_center_name: z.string(),
      /** The points of the activity, now. */
      points: z.number(),
    }),
  ),
});
export type Review = z.infer<typeof Review>;

export const listReviews = endpoint({
  method: 'GET',
  path: '/v1/manage/reviews',
  summary: 'Scanners and pairs to look at; a kept one rests for 30 days, and until there is a newer decision',
  access: 'operator',
  data: page(Review),
});

export const keepReview = endpoint({
  method: 'POST',
  path: '/v1/manage/reviews/keep',
  summary: 'Leave the decisions as they are, and take the review off the list',
  access: 'operator',
  body: z.strictObject({
    kind: ReviewKind,
    scanner: z.string().check(z.maxLength(64)),
    athlete: z.nullable(z.string().check(z.maxLength(64))),
    reason: Reason,
  }),
  data: Empty,
  errors: ['not_found'],
});

export const MAX_WITHDRAWALS = 20;

export const withdrawDecisions = endpoint({
  method: 'POST',
  path: '/v1/manage/reviews/withdrawals',
  summary:
    'Take decisions in force back, of any age: their points go, and the activities need another proof. Each on its own; one that cannot be taken back is in `refused`',
  access: 'operator',
  body: z.strictObject({
    decision_ids: z.array(Uuid).check(z.minLength(1), z.maxLength(MAX_WITHDRAWALS)),
    reason: Reason,
  }),
  data: z.object({
    withdrawn: z.array(Uuid),
    refused: z.array(z.object({ id: Uuid, code: z.string(), message: z.string() })),
  }),
});
