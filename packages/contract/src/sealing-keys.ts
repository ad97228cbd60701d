import * as z from 'zod/mini';
import { endpoint } from './wire/endpoint.ts';

/** A public key of P-256: the uncompressed point (65 bytes) as base64url. */
const PublicKey = z.string().check(z.regex(/^[A-Za-z0-9_-]{87}$/, 'must be a public key of P-256'));

export const getSealingKey = endpoint({
  method: 'GET',
  path: '/v1/sealing-key',
  summary: 'The public key with which a device seals my unsent work at the end of a session; always the same',
  access: 'user',
  data: z.object({ public_key: PublicKey }),
});

export const openSeal = endpoint({
  method: 'POST',
  path: '/v1/sealing-key/secrets',
  summary: 'The secret that opens work which a device sealed for me with this ephemeral key',
  access: 'user',
  body: z.strictObject({ ephemeral_key: PublicKey }),
  /** `secret`: the shared secret (ECDH), 32 bytes as base64url. */
  data: z.object({ secret: z.string() }),
  limit: { max: 60, window_s: 3600 },
});
