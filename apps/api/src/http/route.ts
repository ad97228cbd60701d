import type { Endpoint, Parsed, Reply } from '@sendlap/contract/endpoint.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import * as z from 'zod/mini';
import type { Session } from '../sessions/sessions.ts';
import { refuseText } from './json-body.ts';
import { RawJson } from './raw-json.ts';
import type { LimitRequests } from './request-limit.ts';
import { NO_QUERY } from './schema-compilers.ts';

/** A paired tablet of a sport center, authenticated by its token. */
export interface Kiosk {
  kiosk_id: string;
  sport_center_id: string;
}

/**
 * The signed-in caller for `access: 'user'`, the tablet for 'kiosk'; undefined otherwise, so that a handler cannot
 * confuse them.
 */
type Caller<E extends Endpoint> = E['access'] extends 'user'
  ? Session
  : E['access'] extends 'kiosk'
    ? Kiosk
    : undefined;

export interface Http {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Authentication as the route layer needs it; passed in by the wiring. */
export interface Gate {
  /**
   * Throws or rejects with `unauthenticated` unless the bearer token belongs to a live session, and with
   * `account_locked` for a locked one unless `while_locked`. Returns a promise only if it has to wait.
   */
  authenticate(request: FastifyRequest, options?: { while_locked?: boolean }): Session | Promise<Session>;
  /** Rejects with `kiosk_unknown` unless the bearer token is one of a paired kiosk. */
  authenticateKiosk(request: FastifyRequest): Promise<Kiosk>;
  /** Throws `origin_not_allowed` unless the request comes from our own pages. */
  checkOrigin(request: FastifyRequest): void;
}

/** A promise, unless there was nothing to wait for and the reply is ready-made. */
type Answer<Data> = RawJson<Data> | Promise<Data | RawJson<Data>>;

export type Route = <E extends Endpoint>(
  endpoint: E,
  handler: (input: Parsed<E>, caller: Caller<E>, http: Http) => Answer<Reply<E>>,
) => void;

/**
 * Mounts endpoints of the contract: access, rate limit, parse input, run, shape output, envelope. Paths answer with and
 * without a trailing slash.
 */
export function createRoute(app: FastifyInstance, gate: Gate, limitRequests = refuseLimits): Route {
  return (endpoint, handler) => {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      schema: schemaOf(endpoint),
      onRequest: endpoint.limit
        ? [admission(endpoint, gate), limitRequests(`${endpoint.method} ${endpoint.path}`, endpoint.limit)]
        : admission(endpoint, gate),
      ...(endpoint.params || endpoint.query ? { preValidation: refuseTextIn } : {}),
      handler: (request, reply) => {
        reply.code(endpoint.status ?? 200);
        reply.header('cache-control', endpoint.cache_s ? `public, max-age=${endpoint.cache_s}` : 'no-store');
        const input = { params: request.params, query: request.query, body: request.body } as Parsed<typeof endpoint>;
        const caller = callerOf(endpoint, request) as Caller<typeof endpoint>;
        const wrap = (data: unknown) => (data instanceof RawJson ? bodyOf(data, reply) : { success: true, data });
        const answer = handler(input, caller, { request, reply });
        return answer instanceof RawJson ? bodyOf(answer, reply) : answer.then(wrap);
      },
    });
  };
}

/** For servers without a database, whose endpoints have no limits. */
const refuseLimits: LimitRequests = (name) => {
  throw new Error(`${name} has a limit, but nothing counts its requests`);
};

function bodyOf({ body }: RawJson<unknown>, reply: FastifyReply): Buffer | string {
  reply.header('content-type', 'application/json; charset=utf-8');
  return body;
}

/** Rejects unauthorised callers. The common case, a known session, stays synchronous. */
function admission(endpoint: Endpoint, gate: Gate): onRequestHookHandler {
  return (request, _reply, done) => {
    if (endpoint.access === 'cookie') gate.checkOrigin(request);
    if (endpoint.access === 'kiosk') {
      gate.authenticateKiosk(request).then((kiosk) => {
        request.kiosk = kiosk;
        done();
      }, done);
      return;
    }
    if (endpoint.access !== 'user') return done();
    const session = gate.authenticate(request, endpoint);
    const admit = (caller: Session) => {
      request.session = caller;
      done();
    };
    if (session instanceof Promise) session.then(admit, done);
    else admit(session);
  };
}

function callerOf({ access }: Endpoint, { session, kiosk }: FastifyRequest): Session | Kiosk | undefined {
  if (access === 'user') return session;
  return access === 'kiosk' ? kiosk : undefined;
}

/** For the OpenAPI document; the code that reads a proof validates it. */
const PROOF_HEADERS = z.looseObject({ dpop: z.optional(z.string()) });

function schemaOf(endpoint: Endpoint) {
  const success = z.object({ success: z.literal(true), data: endpoint.data });
  return {
    summary: endpoint.summary,
    tags: [endpoint.path.split('/')[2] ?? ''],
    ...(endpoint.access === 'user' || endpoint.access === 'kiosk' ? { security: [{ bearer: [] }] } : {}),
    ...(endpoint.params ? { params: endpoint.params } : {}),
    ...(endpoint.has_proof ? { headers: PROOF_HEADERS } : {}),
    querystring: endpoint.query ?? NO_QUERY,
    ...(endpoint.body ? { body: endpoint.body } : {}),
    response: { '2xx': success },
  };
}

/** Body texts were checked during parsing; this checks the URL. */
function refuseTextIn({ params, query }: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  refuseTextOf(params as Record<string, unknown>);
  refuseTextOf(query as Record<string, unknown>);
  done();
}

function refuseTextOf(values: Record<string, unknown>): void {
  for (const key in values) {
    const value = values[key];
    if (typeof value === 'string') refuseText(value);
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | undefined;
    kiosk: Kiosk | undefined;
  }
}
