import { METHODS } from 'node:http';
import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client';
import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusals, repeated_ops, shed_requests } from '../platform/measurements.ts';

/** Seconds: the boundaries that OpenTelemetry advises for the durations of requests. */
const DURATION_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const REPLAY_HEADER = 'idempotent-replay';
const KNOWN_METHODS = new Set(METHODS);

/**
 * Measures requests by their route's template, never by their address, and refusals by their code. An open stream is no
 * pending request: its duration says nothing. Returns the function that ends it.
 */
export function measureRequests(app: FastifyInstance, registry: Registry): () => void {
  const registers = [registry];
  const duration = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of requests, without the streams of events',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code', 'url_scheme', 'error_type'],
    buckets: DURATION_BUCKETS_S,
    registers,
  });
  const active = new Gauge({
    name: 'http_server_active_requests',
    help: 'Requests without a complete reply, without the streams of events',
    labelNames: ['http_request_method', 'url_scheme'],
    registers,
  });
  const repeats = new Counter({
    name: 'sendlap_repeats_total',
    help: 'Requests and ops of outboxes that the server already had, and answered as before',
    labelNames: ['http_route'],
    registers,
  });
  const refused = new Counter({
    name: 'sendlap_refusals_total',
    help: 'Refused and failed requests and ops of outboxes, by the code of the error',
    labelNames: ['of', 'code'],
    registers,
  });
  const shed = new Counter({
    name: 'sendlap_shed_requests_total',
    help: 'Requests refused with 503 as too many were in work: ordinary ones first, essential ones last',
    labelNames: ['kind'],
    registers,
  });
  // An alert sees a counter rise from 0 only if it has seen the 0.
  for (const kind of ['ordinary', 'essential']) shed.inc({ kind }, 0);
  app.addHook('onRequest', (request, reply, done) => {
    const labels = { http_request_method: methodOf(request), url_scheme: schemeOf(request) };
    const route = request.routeOptions.url ?? '';
    const arrived_at = performance.now();
    const is_stream = route === EVENTS_PATH;
    if (!is_stream) active.inc(labels);
    reply.raw.once('close', () => {
      if (!is_stream) active.dec(labels);
      const status = reply.raw.statusCode;
      if (is_stream && status === 200) return;
      if (reply.hasHeader(REPLAY_HEADER)) repeats.inc({ http_route: route });
      const reply_labels = { http_route: route, http_response_status_code: String(status), ...errorLabel(reply) };
      duration.observe({ ...labels, ...reply_labels }, (performance.now() - arrived_at) / 1000);
    });
    done();
  });
  const endings = [
    refusals.listen(({ of, code }) => refused.inc({ of, code })),
    shed_requests.listen(({ kind }) => shed.inc({ kind })),
    repeated_ops.listen(({ route }) => repeats.inc({ http_route: route })),
  ];
  return () => {
    for (const end of endings) end();
  };
}

function methodOf({ method }: FastifyRequest): string {
  return KNOWN_METHODS.has(method) ? method : '_OTHER';
}

/** Behind a trusted proxy, a caller may name the scheme: any text. */
function schemeOf({ protocol }: FastifyRequest): string {
  return protocol === 'http' || protocol === 'https' ? protocol : '_OTHER';
}

/** As OpenTelemetry has it: the status of a failed request, or that the client left before the reply. */
function errorLabel({ raw }: FastifyReply): { error_type?: string } {
  if (!raw.writableFinished) return { error_type: 'aborted' };
  return raw.statusCode >= 500 ? { error_type: String(raw.statusCode) } : {};
}
