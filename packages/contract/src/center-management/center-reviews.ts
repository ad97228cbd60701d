import * as z from 'zod/mini';
import { ReviewKind } from '../server-management/reviews.ts';
import { endpoint } from '../wire/endpoint.ts';
import { Uuid } from '../wire/schemas.ts';

/** A review as far as it is about decisions of referees and kiosks at one center. */
export const CenterReview = z.object({
  kind: ReviewKind,
  /** Display names, as in the operator's review. */
  scanner: z.string(),
  athlete: z.nullable(z.string()),
  /** How many of the newest decisions behind it were made at this center. */
  count: z.number(),
});
export type CenterReview = z.infer<typeof CenterReview>;

export const listCenterReviews = endpoint({
  method: 'GET',
  path: '/v1/sport-centers/:id/reviews',
  summary: 'Unusual decisions at a center, for its managers; an operator takes decisions back',
  access: 'manager',
  params: z.strictObject({ id: Uuid }),
  data: z.object({ items: z.array(CenterReview) }),
});
