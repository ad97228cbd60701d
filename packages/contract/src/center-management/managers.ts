import * as z from 'zod/mini';
import { endpoint } from '../wire/endpoint.ts';
import { InviteSecret, page, Uuid } from '../wire/schemas.ts';

/** A right to run one sport center. */
export const ManagerRight = z.object({ sport_center_id: Uuid, sport_center_name: z.string() });
export type ManagerRight = z.infer<typeof ManagerRight>;

export const listMyManagerRights = endpoint({
  method: 'GET',
  path: '/v1/managers/me',
  summary: 'The centers that I manage',
  access: 'user',
  data: page(ManagerRight),
});

export const redeemManagerInvite = endpoint({
  method: 'POST',
  path: '/v1/managers/invites/redeem',
  summary: 'Become a manager by a one-time invite of the center',
  access: 'user',
  body: z.strictObject({ code: InviteSecret }),
  data: ManagerRight,
  limit: { max: 10, window_s: 3600 },
  errors: ['invite_unknown', 'invite_invalid'],
});
