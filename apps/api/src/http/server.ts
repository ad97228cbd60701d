import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import swagger from '@fastify/swagger';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { AppError } from '../platform/errors.ts';
import { replyWithErrors, sendFailure } from './error-replies.ts';
import { tellWrongTrustProxy } from './forwarded-header.ts';
import { acceptStrictJson } from './json-body.ts';
import { replyToMalformedRequests } from './malformed-requests.ts';
import { finishBeforeClose, refuseWhileClosing } from './request-drain.ts';
import { compileSerializer, compileValidator } from './schema-compilers.ts';
import { createHeaderAdder, securityHeaders } from './security-headers.ts';
import type { TlsPair } from './tls.ts';

const REQUEST_ID_LENGTH = 12;
const BODY_LIMIT_BYTES = 64 * 1024;
const CONNECTION_TIMEOUT_MS = 15_000;
/** How long a request may take to arrive, and how often Node looks for those that take longer (by itself every 30 s). */
const ARRIVAL = { request_ms: 10_000, headers_ms: 8_000, checking_interval_ms: 2_000 };

interface ServerOptions {
  logger: FastifyBaseLogger | false;
  trust_proxy: string | undefined;
  /** https: only then is HSTS sent. */
  secure: boolean;
  /** Serves https with it. */
  tls?: TlsPair | undefined;
  /** How long what is under way may take when the server closes. */
  finish_ms?: number | undefined;
  /** Shorter, for tests. */
  arrival?: typeof ARRIVAL;
}

/** A hardened Fastify, before any route: headers, strict bodies, one error envelope. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { logger, trust_proxy, secure, tls, finish_ms, arrival = ARRIVAL } = options;
  const headers = securityHeaders(secure);
  const addSecurityHeaders = createHeaderAdder(headers);
  const http = { headersTimeout: arrival.headers_ms, connectionsCheckingInterval: arrival.checking_interval_ms };
  const app: FastifyInstance = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    // Unlike a counter it means one request, on all nodes and after a restart. The end of a random UUID is all random.
    genReqId: () => randomUUID().slice(-REQUEST_ID_LENGTH),
    trustProxy: parseTrustProxy(trust_proxy),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 256 },
    requestTimeout: arrival.request_ms,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    ...(tls ? { https: { ...tls, ...http } } : { http }),
    bodyLimit: BODY_LIMIT_BYTES,
    // What is under way is finished before (`finishBeforeClose`).
    forceCloseConnections: true,
    // Requests that come in meanwhile get our own envelope (`refuseWhileClosing`).
    return503OnClosing: false,
    // An address that cannot even be decoded is answered like any other refusal, and not repeated.
    frameworkErrors: (_error, _request, reply) => {
      addSecurityHeaders(reply);
      return sendFailure(reply, new AppError('bad_request', 'This is not an address'));
    },
  });
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  app.decorateRequest('session', undefined);
  app.decorateRequest('kiosk', undefined);
  replyToMalformedRequests(app, headers);
  finishBeforeClose(app, finish_ms);
  tellWrongTrustProxy(app, trust_proxy);
  addHeaders(app, addSecurityHeaders);
  refuseWhileClosing(app);
  acceptStrictJson(app);
  replyWithErrors(app);
  await app.register(cookie);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Sendlap', version: '1' },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
  });
  app.get('/v1/openapi.json', { schema: { hide: true } }, async (_request, reply) => reply.send(app.swagger()));
  return app;
}

function addHeaders(app: FastifyInstance, addTo: (reply: FastifyReply) => void): void {
  app.addHook('onRequest', (_request, reply, done) => {
    addTo(reply);
    done();
  });
  // Lets every device measure how far its own clock is off; not on replies that a cache may give back later.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (reply.getHeader('cache-control') === 'no-store') reply.header('x-server-time', Date.now());
    done();
  });
}

/** A number of proxies, or their addresses, comma-separated. */
function parseTrustProxy(value: string | undefined): string | false | ((address: string, hop: number) => boolean) {
  if (value === undefined) return false;
  return /^\d+$/.test(value) ? (_address, hop) => hop < Number(value) : value;
}
