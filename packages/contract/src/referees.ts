import * as z from 'zod/mini';
import { endpoint } from './wire/endpoint.ts';
import { InviteSecret, page, Sport, Timestamp, Uuid } from './wire/schemas.ts';

export const RefereeRight = z.object({
  sport_center_id: Uuid,
  sport_center_name: z.string(),
  sport_types: z.array(Sport),
  valid_until: z.nullable(Timestamp),
});
export type RefereeRight = z.infer<typeof RefereeRight>;

export const listMyRefereeRights = endpoint({
  method: 'GET',
  path: '/v1/referees/me',
  summary: 'The centers where I may confirm activities',
  access: 'user',
  data: page(RefereeRight),
});

export const redeemRefereeInvite = endpoint({
  method: 'POST',
  path: '/v1/referees/invites/redeem',
  summary: 'Become a referee by a one-time invite of the center',
  access: 'user',
  body: z.strictObject({ code: InviteSecret }),
  data: RefereeRight,
  limit: { max: 10, window_s: 3600 },
  errors: ['invite_unknown', 'invite_invalid'],
});

/** An athlete whose activity another referee rejected asks me to decide. */
export const Appeal = z.object({
  client_id: Uuid,
  /** Display name. */
  athlete: z.string(),
  sport_type: Sport,
  sport_center_name: z.string(),
  started_at: Timestamp,
  ended_at: Timestamp,
  /** The athlete's text; null without one. */
  reason: z.nullable(z.string()),
  appealed_at: Timestamp,
  /** Until when the athlete's code can be scanned. */
  open_until: Timestamp,
});
export type Appeal = z.infer<typeof Appeal>;

export const listAppeals = endpoint({
  method: 'GET',
  path: '/v1/referees/appeals',
  summary: 'Rejected activities at my centers whose athletes ask for another referee, newest first, at most 50',
  access: 'user',
  data: page(Appeal),
});
