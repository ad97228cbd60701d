import * as z from 'zod/mini';
import { endpoint } from '../wire/endpoint.ts';
import { Sport, Uuid } from '../wire/schemas.ts';

/** The weeks that are shown, with the running one. */
export const SHOWN_WEEKS = 8;

/**
 * A week's numbers. What tells about 1 to 4 people is null, and so is any number from which it could be computed. Of the
 * running week all are rounded down to fives, metres to thousands.
 */
export const CenterWeek = z.object({
  /** ISO 8601, such as 2026-W47. */
  week_key: z.string(),
  /** Its Monday. */
  starts_on: z.string(),
  is_running: z.boolean(),
  total: z.nullable(z.object({ people: z.number(), activities: z.number(), hours: z.number() })),
  sports: z.nullable(
    z.array(z.object({ sport: Sport, activities: z.number(), hours: z.number(), metres: z.nullable(z.number()) })),
  ),
  /** The share of the activities that have a proof. */
  confirmed_percent: z.nullable(z.number()),
});
export type CenterWeek = z.infer<typeof CenterWeek>;

export const getCenterWeeks = endpoint({
  method: 'GET',
  path: '/v1/sport-centers/:id/weeks',
  summary: 'People, activities, hours and metres at a center in the last 8 weeks, for its managers; newest first',
  access: 'manager',
  params: z.strictObject({ id: Uuid }),
  data: z.object({ weeks: z.array(CenterWeek) }),
  errors: ['sport_center_not_found'],
});
