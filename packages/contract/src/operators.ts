import * as z from 'zod/mini';
import { endpoint } from './wire/endpoint.ts';
import { InviteSecret } from './wire/schemas.ts';

const OperatorRight = z.object({ is_operator: z.boolean() });

export const getMyOperatorRight = endpoint({
  method: 'GET',
  path: '/v1/operators/me',
  summary: 'Whether I may run this server',
  access: 'user',
  data: OperatorRight,
});

export const redeemOperatorInvite = endpoint({
  method: 'POST',
  path: '/v1/operators/invites/redeem',
  summary: 'Become an operator of this server by its one-time set-up address',
  access: 'user',
  body: z.strictObject({ code: InviteSecret }),
  data: OperatorRight,
  limit: { max: 10, window_s: 3600 },
  errors: ['invite_unknown', 'invite_invalid', 'conflict'],
});
