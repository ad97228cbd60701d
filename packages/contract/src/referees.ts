import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { InviteSecret, page, Sport, Timestamp, Uuid } from './schemas.ts';

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
});
