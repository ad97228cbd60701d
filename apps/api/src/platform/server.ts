import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { replyWithErrors, sendFailure } from './error-replies.ts';
import { AppError } from './errors.ts';
import { acceptStrictJson } from './json-body.ts';

const BODY_LIMIT_BYTES = 64 * 1024;
const REQUEST_TIMEOUT_MS = 10_000;
const HEADERS_TIMEOUT_MS = 8_000;
const CONNECTION_TIMEOUT_MS = 15_000;

interface ServerOptions {
  logger: FastifyBaseLogger | false;
  trust_proxy: string | undefined;
  /** https: only then is HSTS sent. */
  secure: boolean;
}

/** A hardened Fastify, before any route: limits, headers, strict bodies, one error envelope. */
export async function createServer({ logger, trust_proxy, secure }: ServerOptions): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    trustProxy: parseTrustProxy(trust_proxy),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 256 },
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    bodyLimit: BODY_LIMIT_BYTES,
    forceCloseConnections: true,
    // An address that cannot even be decoded is answered like any other refusal, and not repeated.
    frameworkErrors: (_error, _request, reply) =>
      sendFailure(reply, new AppError('bad_request', 'This is not an address')),
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.decorateRequest('session', undefined);
  // Lets every device measure how far its own clock is off; not on replies that a cache may give back later.
  app.addHook('onSend', async (_request, reply) => {
    if (reply.getHeader('cache-control') === 'no-store') reply.header('x-server-time', Date.now());
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('permissions-policy', 'camera=(self), geolocation=(self), microphone=(), payment=()');
  });
  acceptStrictJson(app);
  replyWithErrors(app);
  await app.register(cookie);
  await app.register(helmet, securityHeaders(secure));
  await app.register(rateLimit, {
    global: false,
    keyGenerator: (request) => request.session?.user_id ?? request.ip,
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError('too_many_requests', 'Too many requests, please wait a little', {
        retry_after_s: Math.ceil(ttl / 1000),
      }),
  });
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

function securityHeaders(secure: boolean) {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        workerSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'same-origin' as const },
    crossOriginOpenerPolicy: { policy: 'same-origin' as const },
    crossOriginEmbedderPolicy: false,
  };
}

/** A number of proxies, or their addresses, comma-separated. */
function parseTrustProxy(value: string | undefined): string | false | ((address: string, hop: number) => boolean) {
  if (value === undefined) return false;
  return /^\d+$/.test(value) ? (_address, hop) => hop < Number(value) : value;
}
