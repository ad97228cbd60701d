import * as z from 'zod/mini';
import { endpoint } from './wire/endpoint.ts';
import { page, Timestamp, Uuid } from './wire/schemas.ts';

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
  errors: ['device_limit_reached'],
});

export const Device = z.object({
  key_id: Uuid,
  name: z.string(),
  created_at: Timestamp,
  last_used_at: Timestamp,
});
export type Device = z.infer<typeof Device>;

export const listDevices = endpoint({
  method: 'GET',
  path: '/v1/devices',
  summary: 'The installations that may make codes for me',
  access: 'user',
  data: page(Device),
});

export const revokeDevice = endpoint({
  method: 'DELETE',
  path: '/v1/devices/:key_id',
  summary: 'Let an installation make no more codes; scans from before still count for 14 days',
  access: 'user',
  params: z.object({ key_id: Uuid }),
  data: z.object({ key_id: Uuid }),
  errors: ['device_not_found'],
});
