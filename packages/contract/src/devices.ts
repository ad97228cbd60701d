import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Uuid } from './schemas.ts';

export const registerDevice = endpoint({
  method: 'POST',
  path: '/v1/devices',
  summary: 'The key with which this installation signs its activity codes (idempotent per installation)',
  access: 'user',
  body: z.strictObject({ installation_id: Uuid, name: z.string().check(z.minLength(1), z.maxLength(80)) }),
  /** `key`: 32 random bytes as base64url. */
  data: z.object({ key_id: Uuid, key: z.string() }),
  status: 201,
  limit: { max: 30, window_s: 3600 },
});
