import type { RequestListener } from 'node:http';
import cookie from '@fastify/cookie';
import swagger from '@fastify/swagger';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { AppError } from '../platform/errors.ts';
import { VERSION } from '../platform/version.ts';
import { CALLER_REPORT_PATH } from './caller-report.ts';
import { compressReplies } from './compression/compress-replies.ts';
import { completeDocument } from './document/complete-document.ts';
import { mountDocsPage } from './document/docs-page.ts';
import { installErrorHandler, sendFailure } from './error-replies.ts';
import { type TrustProxyMonitor, warnOfWrongTrustProxy } from './forwarded-header.ts';
import type { Readiness } from './health.ts';
import { acceptStrictJson } from './json-body.ts';
import { type LoadLimits, type OtherServers, shedLoad } from './listening/load-shedding.ts';
import { limitPipelinedRequests } from './listening/pipelined-requests.ts';
import { answerPlainHttp } from './listening/plain-http.ts';
import { secureOptions, type TlsPair } from './listening/tls.ts';
import { replyToMalformedRequests } from './malformed-requests.ts';
import { drainBeforeClose, endConnectionsWhileDraining, rejectWhileClosing } from './request-drain.ts';
import { createRequestId, logRequests, REQUEST_ID_FIELD, REQUEST_ID_HEADER } from './request-log.ts';
import { compileSerializer, compileValidator } from './schema-compilers.ts';
import { createHeaderAdder, securityHeaders } from './security-headers.ts';
import { createWrongSchemePages } from './wrong-address.ts';

const BODY_LIMIT_BYTES = 64 * 1024;
/**
 * How long a request may take to arrive, the interval of Node's check for slower ones (30 s by default), and how long a
 * connection may carry nothing.
 */
const ARRIVAL_TIMEOUTS = { request_ms: 10_000, headers_ms: 8_000, checking_interval_ms: 2_000, idle_ms: 15_000 };

interface ServerOptions {
  logger: FastifyBaseLogger | false;
  trust_proxy: string | undefined;
  /** Keeps the first request of each kind that does not fit TRUST_PROXY. */
  trust_proxy_monitor?: TrustProxyMonitor | undefined;
  /** Where browsers reach the app. */
  public_url: string;
  /** The server uses https with this key and certificate. */
  tls?: TlsPair | undefined;
  /** Answers plain http at the port of https; by default with a page that names the public address. */
  onPlainHttp?: RequestListener | undefined;
  /** Becomes false when the server drains. */
  readiness?: Readiness;
  /** How long pending requests may take when the server closes. */
  drain_timeout_ms?: number | undefined;
  /** When requests are refused as the node is overloaded. */
  load_limits?: LoadLimits | undefined;
  /** Other servers that requests wait for; default: none. */
  other_servers?: OtherServers | undefined;
  /** Tests pass shorter times. */
  arrival_timeouts?: typeof ARRIVAL_TIMEOUTS;
}

/** Creates a hardened Fastify, without routes: headers, strict bodies, one error envelope. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { logger, trust_proxy, public_url, tls, drain_timeout_ms, arrival_timeouts = ARRIVAL_TIMEOUTS } = options;
  const headers = securityHeaders(public_url);
  const addSecurityHeaders = createHeaderAdder(headers);
  const http_options = {
    headersTimeout: arrival_timeouts.headers_ms,
    connectionsCheckingInterval: arrival_timeouts.checking_interval_ms,
  };
  const app: FastifyInstance = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    genReqId: createRequestId,
    // Our own line has the route and the user.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: REQUEST_ID_FIELD }),
    trustProxy: parseTrustProxy(trust_proxy),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 256 },
    requestTimeout: arrival_timeouts.request_ms,
    connectionTimeout: arrival_timeouts.idle_ms,
    ...(tls ? { https: { ...secureOptions(tls), ...http_options } } : { http: http_options }),
    bodyLimit: BODY_LIMIT_BYTES,
    // Pending requests have finished before (`drainBeforeClose`).
    forceCloseConnections: true,
    // Requests that arrive during the shutdown get our own envelope (`rejectWhileClosing`).
    return503OnClosing: false,
    // A URL that cannot be decoded is refused like any other request, and the reply does not repeat it.
    frameworkErrors: (_error, request, reply) => {
      // Hooks do not run for it.
      addSecurityHeaders(reply);
      reply.header(REQUEST_ID_HEADER, request.id);
      return sendFailure(reply, new AppError('bad_request', 'This is not an address'));
    },
  });
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  app.decorateRequest('session', undefined);
  app.decorateRequest('kiosk', undefined);
  app.decorateRequest('cookie_session_id', undefined);
  limitPipelinedRequests(app);
  logRequests(app);
  replyToMalformedRequests(app, headers);
  if (tls) answerPlainHttp(app, options.onPlainHttp ?? createWrongSchemePages(public_url));
  drainBeforeClose(app, drain_timeout_ms);
  const { trust_proxy_monitor: monitor = new Map() } = options;
  warnOfWrongTrustProxy(app, trust_proxy, { monitor, ignored_path: CALLER_REPORT_PATH });
  // Before the hooks that read the clock and end a request's work, which it belongs to.
  compressReplies(app);
  installHeaderHooks(app, addSecurityHeaders);
  endConnectionsWhileDraining(app, options.readiness ?? { accepting: true });
  rejectWhileClosing(app);
  shedLoad(app, options.load_limits, options.other_servers);
  acceptStrictJson(app);
  installErrorHandler(app);
  await app.register(cookie);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Sendlap API', version: VERSION },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
    transformObject: (generated) =>
      'openapiObject' in generated ? completeDocument(generated.openapiObject) : generated.swaggerObject,
  });
  // Made once: it is large, and any caller may ask for it at any rate.
  let description: Buffer | undefined;
  app.get('/v1/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    description ??= Buffer.from(JSON.stringify(app.swagger()));
    return reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(description);
  });
  mountDocsPage(app);
  return app;
}

function installHeaderHooks(app: FastifyInstance, addHeadersTo: (reply: FastifyReply) => void): void {
  app.addHook('onRequest', (_request, reply, done) => {
    addHeadersTo(reply);
    done();
  });
  // Lets every device measure its clock offset; not on replies that a cache may serve later.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (reply.getHeader('cache-control') === 'no-store') reply.header('x-server-time', Date.now());
    done();
  });
}

/** Parses a number of proxies, or their addresses, comma-separated. */
function parseTrustProxy(value: string | undefined): string | false | ((address: string, hop: number) => boolean) {
  if (value === undefined) return false;
  return /^\d+$/.test(value) ? (_address, hop) => hop < Number(value) : value;
}
