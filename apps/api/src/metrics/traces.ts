import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { databaseErrorCode } from '../database/database.ts';
import { announcements, job_runs, statements } from '../platform/measurements.ts';
import { VERSION } from '../platform/version.ts';
import { operationOf } from './statement-operation.ts';

interface TraceOptions {
  /** Base address of a collector that takes OTLP over HTTP; traces go to its `v1/traces`. */
  endpoint: string;
  /** The share of requests that are traced, 0 to 1. */
  share: number;
  node: string;
  /** How long a closing app waits for the collector. */
  close_timeout_ms?: number;
}

const EXPORT_TIMEOUT_MS = 3_000;
/** How long a stream lasts says nothing, and health checks of proxies would be most of the traces. */
const UNTRACED_ROUTES = new Set([EVENTS_PATH, '/healthz', '/readyz']);

/**
 * Sends traces of requests, with their statements and announced events, and of background jobs, for as long as the app
 * is open. Call it before the routes are mounted. A span has no user and no value of a statement.
 */
export function mountTraces(app: FastifyInstance, options: TraceOptions): void {
  const { endpoint, share, node, close_timeout_ms = EXPORT_TIMEOUT_MS } = options;
  const sampler = createSampler(share);
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const exporter = reportFailures(new OTLPTraceExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS }), app.log);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'sendlap',
      'service.version': VERSION,
      'service.instance.id': node,
    }),
    // A caller may name the trace that a request belongs to, but not decide whether it is stored.
    sampler: new ParentBasedSampler({
      root: sampler,
      remoteParentSampled: sampler,
      remoteParentNotSampled: sampler,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('sendlap');
  const contexts = new AsyncLocalStorage<Context>();
  traceRequests(app, tracer, contexts);
  const unsubscribers = traceWork(tracer, contexts);
  app.addHook('onClose', async () => {
    for (const unsubscribe of unsubscribers) unsubscribe();
    // A collector that sends its answer slowly would delay the shutdown without end.
    const deadline = setTimeout(close_timeout_ms, undefined, { ref: false });
    await Promise.race([provider.shutdown().catch(() => {}), deadline]);
  });
}

/** Decides by chance: a caller chooses the id of a trace, by which the library's own sampler decides. */
function createSampler(share: number): Sampler {
  const { RECORD_AND_SAMPLED, NOT_RECORD } = SamplingDecision;
  return {
    shouldSample: () => ({ decision: Math.random() < share ? RECORD_AND_SAMPLED : NOT_RECORD }),
    toString: () => `share of ${share}`,
  };
}

function traceRequests(app: FastifyInstance, tracer: Tracer, contexts: AsyncLocalStorage<Context>): void {
  const propagator = new W3CTraceContextPropagator();
  const context_of = new WeakMap<FastifyRequest, Context>();
  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url;
    if (route !== undefined && UNTRACED_ROUTES.has(route)) return done();
    // Not `tracestate`: it is free text, and each span would repeat it.
    const { traceparent } = request.headers;
    const caller = propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);
    const name = route === undefined ? request.method : `${request.method} ${route}`;
    const attributes = {
      'http.request.method': request.method,
      // From outside it may be any text: a proxy may forward its caller's `X-Forwarded-Proto`.
      'url.scheme': request.protocol === 'https' ? 'https' : 'http',
      'sendlap.request_id': request.id,
      ...(route === undefined ? {} : { 'http.route': route }),
    };
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, caller);
    reply.raw.once('close', () => {
      const error = errorOf(reply);
      span.setAttribute('http.response.status_code', reply.raw.statusCode);
      if (error) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    const context = trace.setSpan(caller, span);
    context_of.set(request, context);
    contexts.run(context, done);
  });
  // Reading the body has left the request's context: it is entered again.
  app.addHook('preHandler', (request, _reply, done) => {
    const context = context_of.get(request);
    if (context) contexts.run(context, done);
    else done();
  });
}

/** The status of a failed request, or that the client left before the reply. */
function errorOf({ raw }: FastifyReply): string | undefined {
  if (!raw.writableFinished) return 'aborted';
  return raw.statusCode >= 500 ? String(raw.statusCode) : undefined;
}

/**
 * Makes spans of statements and announced events, below the span of their request, and of jobs. Returns the functions
 * that unsubscribe it.
 */
function traceWork(tracer: Tracer, contexts: AsyncLocalStorage<Context>): (() => void)[] {
  const addSpan = (
    name: string,
    work: { kind: SpanKind; duration_ms: number; attributes: Attributes; parent: Context },
  ) => {
    const { kind, duration_ms, attributes, parent } = work;
    const ended_at = performance.now();
    const span = tracer.startSpan(name, { kind, attributes, startTime: ended_at - duration_ms }, parent);
    if ('error.type' in attributes) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(ended_at);
  };
  return [
    statements.listen(({ text, duration_ms, error }) => {
      const parent = contexts.getStore();
      if (!parent) return;
      const operation = operationOf(text);
      const attributes = {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        'db.query.text': text,
        ...(error === undefined ? {} : { 'error.type': databaseErrorCode(error) ?? '_OTHER' }),
      };
      addSpan(operation, { kind: SpanKind.CLIENT, duration_ms, attributes, parent });
    }),
    announcements.listen(({ messages, duration_ms }) => {
      const parent = contexts.getStore();
      const attributes = { 'messaging.batch.message_count': messages };
      if (parent) addSpan('announce events', { kind: SpanKind.PRODUCER, duration_ms, attributes, parent });
    }),
    job_runs.listen(({ job, duration_ms, has_failed }) => {
      const attributes = has_failed ? { 'error.type': '_OTHER' } : {};
      addSpan(`job ${job}`, { kind: SpanKind.INTERNAL, duration_ms, attributes, parent: ROOT_CONTEXT });
    }),
  ];
}

/**
 * Logs the first of several failures in a row, without the collector's answer, which may be long. Spans that cannot be
 * sent are dropped, and requests do not wait for them.
 */
function reportFailures(exporter: SpanExporter, log: FastifyBaseLogger): SpanExporter {
  let has_failed = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const is_failed = result.code !== ExportResultCode.SUCCESS;
        if (is_failed && !has_failed) {
          const { code, message } = (result.error ?? {}) as { code?: unknown; message?: string };
          log.warn({ code, reason: message }, 'traces could not be sent');
        }
        has_failed = is_failed;
        done(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}
