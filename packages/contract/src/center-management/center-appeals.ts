import * as z from 'zod/mini';
import { endpoint } from '../wire/endpoint.ts';
import { Sport, Timestamp, Uuid } from '../wire/schemas.ts';

/** An activity at the center that a referee rejected and whose athlete asks for another referee. */
export const CenterAppeal = z.object({
  client_id: Uuid,
  /** Display name. */
  athlete: z.string(),
  sport_type: Sport,
  started_at: Timestamp,
  ended_at: Timestamp,
  /** The athlete's text; null without one. */
  reason: z.nullable(z.string()),
  /** Until when the athlete's code can be scanned. */
  open_until: Timestamp,
  /** Who may decide it by a scan of the athlete's code. */
  referees: z.array(z.object({ public_id: z.string(), name: z.string() })),
  /** Whether the caller is one of them. */
  can_decide: z.boolean(),
});
export type CenterAppeal = z.infer<typeof CenterAppeal>;

export const listCenterAppeals = endpoint({
  method: 'GET',
  path: '/v1/sport-centers/:id/appeals',
  summary: 'Open appeals at a center and the referees who may decide them, for its managers; newest first, at most 50',
  access: 'manager',
  params: z.strictObject({ id: Uuid }),
  data: z.object({ items: z.array(CenterAppeal) }),
  errors: ['sport_center_not_found'],
});
