import { type Endpoint, needsSession, type ParsedRequest, type Reply } from '@sendlap/contract/wire/endpoint.ts';
import { listErrors } from '@sendlap/contract/wire/endpoint-errors.ts';
import type { ErrorCode } from '@sendlap/contract/wire/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import * as z from 'zod/mini';
import type { Session } from '../sessions/sessions.ts';
import { isCompressible } from './compression/compress-replies.ts';
import type { RateLimit } from './document/json-schema.ts';
import { assertStorableText } from './json-body.ts';
import { RawJson } from './raw-json.ts';
import type { LimitRequests } from './request-limit.ts';
import { NO_QUERY } from './schema-compilers.ts';

/** A paired tablet of a sport center, authenticated by its token. */
export interface Kiosk {
  kiosk_id: string;
  sport_center_id: string;
}

/**
 * The signed-in caller for `access` 'user', 'operator' and 'manager', the tablet for 'kiosk'; undefined otherwise, so
 * that a handler cannot confuse them.
 */
type Caller<E extends Endpoint> = E['access'] extends 'user' | 'operator' | 'manager'
  ? Session
  : E['access'] extends 'kiosk'
    ? Kiosk
    : undefined;

export interface HttpExchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Authentication as the route layer needs it; passed in by the wiring. */
export interface Authenticator {
  /**
   * Throws or rejects with `unauthenticated` unless the bearer token belongs to a live session, and with
   * `account_locked` for a locked one unless `while_locked`. Returns a promise only if it has to wait.
   */
  authenticate(request: FastifyRequest, options?: { while_locked?: boolean }): Session | Promise<Session>;
  /** As `authenticate`; rejects with `not_an_operator` unless the user may run this server. */
  authenticateOperator(request: FastifyRequest): Promise<Session>;
  /**
   * As `authenticate`; rejects with `not_a_manager` unless the user may run the sport center of the path's `:id`, or
   * this server.
   */
  authenticateManager(request: FastifyRequest): Promise<Session>;
  /** Rejects with `kiosk_unknown` unless the bearer token is one of a paired kiosk. */
  authenticateKiosk(request: FastifyRequest): Promise<Kiosk>;
  /** Throws `origin_not_allowed` unless the request comes from our own pages. */
  checkOrigin(request: FastifyRequest): void;
  /** Returns the id of the session whose refresh cookie the request carries, to count its calls; it proves nothing. */
  findCookieSession(request: FastifyRequest): Promise<string | undefined>;
}

/** A promise, unless there was nothing to wait for. */
type HandlerResult<Data> = Data | RawJson<Data> | Promise<Data | RawJson<Data>>;

export type Route = <E extends Endpoint>(
  endpoint: E,
  handler: (input: ParsedRequest<E>, caller: Caller<E>, http: HttpExchange) => HandlerResult<Reply<E>>,
) => void;

/**
 * Mounts endpoints of the contract: access, rate limit, parse input, run, shape output, envelope. Paths answer with and
 * without a trailing slash.
 */
export function createRoute(app: FastifyInstance, authenticator: Authenticator, limitRequests = failOnLimit): Route {
  return (endpoint, handler) => {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      schema: routeSchema(endpoint),
      config: { is_compressible: isCompressible(endpoint) },
      ...(endpoint.max_body_bytes === undefined ? {} : { bodyLimit: endpoint.max_body_bytes }),
      onRequest: endpoint.limit
        ? [
            createAuthenticationHook(endpoint, authenticator),
            limitRequests(`${endpoint.method} ${endpoint.path}`, endpoint.limit),
          ]
        : createAuthenticationHook(endpoint, authenticator),
      ...(endpoint.params || endpoint.query ? { preValidation: validateUrlText } : {}),
      handler: (request, reply) => {
        reply.code(endpoint.status ?? 200);
        reply.header('cache-control', endpoint.cache_s ? `public, max-age=${endpoint.cache_s}` : 'no-store');
        const input = { params: request.params, query: request.query, body: request.body } as ParsedRequest<
          typeof endpoint
        >;
        const caller = callerOf(endpoint, request) as Caller<typeof endpoint>;
        const wrap = (data: unknown) => (data instanceof RawJson ? sendRawJson(data, reply) : { success: true, data });
        const result = handler(input, caller, { request, reply });
        return result instanceof Promise ? result.then(wrap) : wrap(result);
      },
    });
  };
}

/** For servers without a database, whose endpoints have no limits. */
const failOnLimit: LimitRequests = (name) => {
  throw new Error(`${name} has a limit, but nothing counts its requests`);
};

function sendRawJson({ body }: RawJson<unknown>, reply: FastifyReply): Buffer | string {
  reply.header('content-type', 'application/json; charset=utf-8');
  return body;
}

/** Rejects unauthorised callers. The common case, a known session, stays synchronous. */
function createAuthenticationHook(endpoint: Endpoint, authenticator: Authenticator): onRequestHookHandler {
  return (request, _reply, done) => {
    if (endpoint.access === 'cookie') authenticator.checkOrigin(request);
    if (endpoint.access === 'cookie' && endpoint.limit) {
      authenticator.findCookieSession(request).then((session_id) => {
        request.cookie_session_id = session_id;
        done();
      }, done);
      return;
    }
    if (endpoint.access === 'kiosk') {
      authenticator.authenticateKiosk(request).then((kiosk) => {
        request.kiosk = kiosk;
        done();
      }, done);
      return;
    }
    if (!needsSession(endpoint)) return done();
    const session = authenticateUser(endpoint, request, authenticator);
    const admit = (caller: Session) => {
      request.session = caller;
      done();
    };
    if (session instanceof Promise) session.then(admit, done);
    else admit(session);
  };
}

function authenticateUser(endpoint: Endpoint, request: FastifyRequest, authenticator: Authenticator) {
  if (endpoint.access === 'operator') return authenticator.authenticateOperator(request);
  if (endpoint.access === 'manager') return authenticator.authenticateManager(request);
  return authenticator.authenticate(request, endpoint);
}

function callerOf(endpoint: Endpoint, { session, kiosk }: FastifyRequest): Session | Kiosk | undefined {
  if (needsSession(endpoint)) return session;
  return endpoint.access === 'kiosk' ? kiosk : undefined;
}

/** For the OpenAPI document; the code that reads a proof validates it. */
const PROOF_HEADERS = z.looseObject({ dpop: z.optional(z.string()) });

function routeSchema(endpoint: Endpoint) {
  const success = z.object({ success: z.literal(true), data: endpoint.data });
  return {
    summary: endpoint.summary,
    tags: [endpoint.path.split('/')[2] ?? ''],
    ...(needsSession(endpoint) || endpoint.access === 'kiosk' ? { security: [{ bearer: [] }] } : {}),
    ...(endpoint.params ? { params: endpoint.params } : {}),
    ...(endpoint.takes_dpop_proof ? { headers: PROOF_HEADERS } : {}),
    querystring: endpoint.query ?? NO_QUERY,
    ...(endpoint.body ? { body: endpoint.body } : {}),
    response: { '2xx': success },
    ...(endpoint.limit ? { 'x-rate-limit': { ...endpoint.limit, counted_by: limitedCaller(endpoint) } } : {}),
    'x-status': endpoint.status ?? 200,
    'x-error-codes': listErrors(endpoint),
  };
}

/** By what `callerKey` counts the calls of an endpoint. */
function limitedCaller(endpoint: Endpoint): RateLimit['counted_by'] {
  if (needsSession(endpoint)) return 'user';
  if (endpoint.access === 'kiosk') return 'kiosk';
  return endpoint.access === 'cookie' ? 'session, or IP address' : 'IP address';
}

/** Body texts were checked during parsing; this checks the URL. */
function validateUrlText({ params, query }: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  assertStorableValues(params as Record<string, unknown>);
  assertStorableValues(query as Record<string, unknown>);
  done();
}

function assertStorableValues(values: Record<string, unknown>): void {
  for (const key in values) {
    const value = values[key];
    if (typeof value === 'string') assertStorableText(value);
  }
}

declare module 'fastify' {
  interface FastifySchema {
    /** Codes of refusals, for the document. */
    'x-error-codes'?: ErrorCode[];
    /** For the document. */
    'x-rate-limit'?: RateLimit;
    /** Status of success, for the document. */
    'x-status'?: number;
  }
  interface FastifyRequest {
    session: Session | undefined;
    kiosk: Kiosk | undefined;
    /** Set for calls with `access: 'cookie'` and a limit. */
    cookie_session_id: string | undefined;
  }
}
