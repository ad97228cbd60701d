import { PUBLIC_ID_PATTERN } from '@sendlap/domain/public-id.ts';
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

export const PublicId = z.string().check(z.regex(PUBLIC_ID_PATTERN, 'must be 3 to 30 of a-z, 0-9, _, . and -'));

export const changePublicId = endpoint({
  method: 'PUT',
  path: '/v1/friends/public-id',
  summary: 'Change the id by which friends find me; the old one is kept for me for 90 days',
  access: 'user',
  body: z.strictObject({ public_id: PublicId }),
  data: z.object({ public_id: z.string() }),
  limit: { max: 10, window_s: 86_400 },
});
