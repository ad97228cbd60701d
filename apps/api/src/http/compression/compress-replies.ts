import { gzip, gzipSync } from 'node:zlib';
import { syncActivities } from '@sendlap/contract/activities.ts';
import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Shorter ones arrive within a second on the weakest network (decision 068). */
const MIN_BYTES = 2048;
/** Up to here the way to the thread pool and back costs the event loop as much as the compression, and waits for a thread. */
const MAX_SYNC_LENGTH = 16 * 1024;
/** Level 3 takes half the CPU time of the usual 6, for few more bytes. */
export const GZIP = { level: 3 };

/**
 * Compresses long JSON replies of the contract's calls for callers that accept gzip; `createRoute` says of which calls.
 * Everything else is mounted without it: files, tiles, the stream of events, the pages and tokens of the identity provider.
 */
export function compressReplies(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.routeOptions.config.is_compressible) return done();
    const vary = reply.getHeader('vary');
    reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`);
    if (reply.statusCode === 304 || !isLong(payload) || !acceptsGzip(request)) return done();
    const send = (error: Error | null, compressed: Buffer) => {
      if (error) return done(error);
      reply.header('content-encoding', 'gzip');
      done(null, compressed);
    };
    if (payload.length <= MAX_SYNC_LENGTH) send(null, gzipSync(payload, GZIP));
    else gzip(payload, GZIP, send);
  });
}

/**
 * The length of a compressed text depends on what it repeats, so an observer could guess secrets in it. No reply with a
 * token, key or code is compressed: these come from sign-in, to kiosks, and as results of changes. The steps of the
 * outbox have long results without any.
 */
export function isCompressible({ method, path, access }: Endpoint): boolean {
  if (path === syncActivities.path) return true;
  return method === 'GET' && access !== 'kiosk' && !path.startsWith('/v1/auth/');
}

/** A quality of 0 is a refusal. */
export function acceptsGzip({ headers }: FastifyRequest): boolean {
  return /(^|,)\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*(,|$))|,|$)/i.test(String(headers['accept-encoding'] ?? ''));
}

function isLong(payload: unknown): payload is string | Buffer {
  return (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length >= MIN_BYTES;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Long replies of this route may be compressed. */
    is_compressible?: boolean;
  }
}
