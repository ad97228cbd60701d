import { isUuidV4 } from '@sendlap/domain/ids.ts';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../platform/errors.ts';

/**
 * Returns the caller's idempotency key in lower case; undefined without one. Throws `validation_failed` unless it is a
 * UUID v4.
 */
export function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (isUuidV4(key)) return key.toLowerCase();
  const message = 'must be a UUID v4';
  throw new AppError('validation_failed', `headers/idempotency-key: ${message}`, {
    details: [{ path: 'headers/idempotency-key', message }],
  });
}
