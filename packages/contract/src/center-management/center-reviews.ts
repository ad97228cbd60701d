import * as z from 'zod/mini';
import { ReviewKind } from '../server-management/reviews.ts';
import { endpoint } from '../wire/endpoint.ts';
import { Uuid } from '../wire/schemas.ts';

/** An unusual pattern in the decisions of referees and kiosks at one center; other centers do not count. */
export const CenterReview = z.object({
  /** Never `many_refusals`, which also counts scans of friends: the center does not learn about those. */
  kind: ReviewKind,
  /** Display names. Two people may have the same one, or none. */
  scanner: z.string(),
  athlete: z.nullable(z.string()),
  scanner_public_id: z.string(),
  athlete_public_id: z.nullable(z.string()),
  /** Decisions at this center within 90 days. */
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
  errors: ['sport_center_not_found'],
});
