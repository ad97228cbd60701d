import { createHash } from 'node:crypto';

/** Returns the SHA-256 of a random token: the database holds only this. A random token needs no salt. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
