import type { Endpoint, Parsed, Reply } from '@sendlap/contract/endpoint.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { refuseText } from './json-body.ts';
import type { Session } from './sessions.ts';

/** The signed-in caller for `access: 'user'`; undefined elsewhere, so that a handler cannot mistake it. */
type Caller<E extends Endpoint> = E['access'] extends 'user' ? Session : undefined;

export interface Http {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** What the layer needs to know who calls; passed in by the wiring. */
export interface Gate {
  /** Throws `unauthenticated` unless the bearer token is one of a live session. */
  authenticate(request: FastifyRequest): Promise<Session>;
  /** Throws `origin_not_allowed` unless the request comes from our own pages. */
  checkOrigin(request: FastifyRequest): void;
}

export type Route = <E extends Endpoint>(
  endpoint: E,
  handler: (input: Parsed<E>, caller: Caller<E>, http: Http) => Promise<Reply<E>>,
) => void;

/**
 * Mounts endpoints of the contract on the server: access, rate limit, parse in, run, shape out, envelope.
 * Paths answer with and without a final slash.
 */
export function createRoute(app: FastifyInstance, gate: Gate): Route {
  return (endpoint, handler) => {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      config: endpoint.limit
        ? { rateLimit: { max: endpoint.limit.max, timeWindow: endpoint.limit.window_s * 1000 } }
        : {},
      schema: schemaOf(endpoint),
      onRequest: async (request) => {
        if (endpoint.access === 'user') request.session = await gate.authenticate(request);
        if (endpoint.access === 'cookie') gate.checkOrigin(request);
      },
      preValidation: async (request) => refuseTextIn(request),
      handler: async (request, reply) => {
        reply.code(endpoint.status ?? 200);
        reply.header('cache-control', endpoint.cache_s ? `public, max-age=${endpoint.cache_s}` : 'no-store');
        const input = { params: request.params, query: request.query, body: request.body } as Parsed<typeof endpoint>;
        const caller = (endpoint.access === 'user' ? request.session : undefined) as Caller<typeof endpoint>;
        return { success: true, data: await handler(input, caller, { request, reply }) };
      },
    });
  };
}

function schemaOf(endpoint: Endpoint) {
  const success = z.object({ success: z.literal(true), data: endpoint.data });
  return {
    summary: endpoint.summary,
    tags: [endpoint.path.split('/')[2] ?? ''],
    ...(endpoint.access === 'user' ? { security: [{ bearer: [] }] } : {}),
    ...(endpoint.params ? { params: endpoint.params } : {}),
    querystring: endpoint.query ?? z.strictObject({}),
    ...(endpoint.body ? { body: endpoint.body } : {}),
    response: { '2xx': success },
  };
}

/** Bodies were looked at while parsing; the address is looked at here. */
function refuseTextIn(request: FastifyRequest): void {
  for (const part of [request.params, request.query]) {
    for (const value of Object.values(part as Record<string, unknown>))
      if (typeof value === 'string') refuseText(value);
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | undefined;
  }
}
