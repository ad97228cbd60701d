import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { getActivity, startActivity } from '@sendlap/contract/activities.ts';
import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp } from '#test/app/app.ts';
import { makeCenter } from '#test/factories.ts';
import { findFreePort } from '#test/free-port.ts';
import * as measurements from '../platform/measurements.ts';
import { mountTraces } from './traces.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER_SPAN_ID = 'b7ad6b7169203331';
/** Headers with words of the caller, which no span may repeat. */
const OTHER_HEADERS = { 'x-forwarded-proto': 'words-of-a-caller', tracestate: 'vendor=words-of-a-caller' };
const MINUTE_MS = 60_000;

afterAll(() => {
  for (const { is_observed } of Object.values(measurements)) expect(is_observed).toBe(false);
});

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  status: { code: number };
  attributes: { key: string; value: Record<string, unknown> }[];
}

/** A collector, as OTLP over HTTP has it. */
async function openCollector() {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(`${request.url} ${await text(request)}`);
    response.setHeader('content-type', 'application/json').end('{}');
  });
  return {
    ...(await listen(server)),
    raw: () => bodies.join('\n'),
    spans: () =>
      bodies
        .map((body) => JSON.parse(body.replace(/^\/v1\/traces /, '')))
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans as Span[]),
  };
}

async function listen(server: Server) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const attributeOf = ({ attributes }: Span, name: string) => {
  const value = attributes.find(({ key }) => key === name)?.value ?? {};
  return value.stringValue ?? value.intValue;
};

/**
 * Runs an app that sends its traces to the collector, with a user's requests for each `traceparent`. Returns what the app
 * sent until its end.
 */
async function traceCalls(env: Record<string, string>, traceparents = [`00-${TRACE_ID}-${CALLER_SPAN_ID}-01`]) {
  const collector = await openCollector();
  let center = '';
  const api = await buildTestApp({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, ...env },
    seed: async (database) => {
      center = await makeCenter(database);
    },
  });
  const calls = [];
  for (const traceparent of traceparents) {
    const ada = await api.signIn('Ada');
    const headers = { ...ada.headers, ...OTHER_HEADERS, traceparent };
    const body = {
      client_id: randomUUID(),
      op_id: randomUUID(),
      sport_center_id: center,
      sport_type: 'climbing',
      started_at: new Date(Date.now() - MINUTE_MS).toISOString(),
    };
    const started = await api.app.inject({ method: 'POST', url: startActivity.path, headers, payload: body });
    expect(started.statusCode).toBe(201);
    await api.app.inject({ url: getActivity.path.replace(':client_id', body.client_id), headers: ada.headers });
    calls.push({ ada, body });
  }
  await api.app.inject({ url: '/readyz' });
  await api.app.inject({ url: EVENTS_PATH });
  await api.close();
  await collector.close();
  return { calls, spans: collector.spans(), raw: collector.raw() };
}

describe('of one app', () => {
  let spans: Span[];
  beforeAll(async () => {
    ({ spans } = await traceCalls({}));
  });

  test('a request is one trace of the caller, with its statements and the events that it announced', async () => {
    const request = spans.find(({ name }) => name === `POST ${startActivity.path}`);
    expect(request).toMatchObject({ traceId: TRACE_ID, parentSpanId: CALLER_SPAN_ID });
    if (!request) throw new Error('no span of the request');
    expect(attributeOf(request, 'http.route')).toBe(startActivity.path);
    expect(attributeOf(request, 'http.response.status_code')).toBe(201);
    const parts = spans.filter(({ parentSpanId }) => parentSpanId === request.spanId);
    expect(new Set(parts.map(({ traceId }) => traceId))).toEqual(new Set([TRACE_ID]));
    const names = parts.map(({ name }) => name);
    for (const name of ['SELECT', 'COMMIT', 'announce events']) expect(names).toContain(name);
  });

  test('a request without a caller’s trace begins its own; streams and checks of proxies have none', async () => {
    const read = spans.find(({ name }) => name === `GET ${getActivity.path}`);
    expect(read?.traceId).not.toBe(TRACE_ID);
    expect(read?.parentSpanId).toBeUndefined();
    const names = spans.map(({ name }) => name);
    expect(names.filter((name) => name.includes('readyz') || name.includes(EVENTS_PATH))).toEqual([]);
  });
});

test('no span has a user, a token, a value of a statement or words of the caller', async () => {
  const { calls, raw } = await traceCalls({ TRUST_PROXY: '127.0.0.1' });
  expect(raw).toContain('insert into');
  const values = calls.flatMap(({ ada, body }) => [ada.user.id, ada.token, body.client_id, body.op_id]);
  for (const value of [...values, 'Ada', 'words-of']) expect(raw).not.toContain(value);
});

test('of a share of 0 nothing is sent, also when the caller asks for it', async () => {
  const { spans } = await traceCalls({ OTEL_TRACES_SAMPLER_ARG: '0' });
  expect(spans.filter(({ traceId }) => traceId === TRACE_ID)).toEqual([]);
  expect(spans).toEqual([]);
});

test.each([
  ['0.000001', `00-${'00000001'.padEnd(32, '0')}-${CALLER_SPAN_ID}-01`, false],
  ['0.999999', `00-${'ffffffff'.padEnd(32, '0')}-${CALLER_SPAN_ID}-01`, true],
  ['1', `00-${TRACE_ID}-${CALLER_SPAN_ID}-00`, true],
])('the share of %s alone decides, not the caller by %s', async (share, traceparent, is_stored) => {
  const { spans } = await traceCalls({ OTEL_TRACES_SAMPLER_ARG: share }, [traceparent]);
  expect(spans.some(({ parentSpanId }) => parentSpanId === CALLER_SPAN_ID)).toBe(is_stored);
});

test('a request with a traceparent of another form begins its own trace', async () => {
  const traceparents = [
    '',
    'x',
    '00',
    `00-${'0'.repeat(32)}-${CALLER_SPAN_ID}-01`,
    `ff-${TRACE_ID}-${CALLER_SPAN_ID}-01`,
    'é'.repeat(20),
  ];
  const { spans } = await traceCalls({}, traceparents);
  const requests = spans.filter(({ name }) => name === `POST ${startActivity.path}`);
  const ids = requests.map(({ traceId }) => traceId);
  expect(ids).toEqual(traceparents.map(() => expect.stringMatching(/^(?!0{32})[\da-f]{32}$/)));
  expect(new Set([...ids, TRACE_ID]).size).toBe(traceparents.length + 1);
  expect(requests.map(({ parentSpanId }) => parentSpanId)).toEqual(traceparents.map(() => undefined));
});

test('the server ends while a collector never finishes its answer', async () => {
  let onRequest = () => {};
  const requested = new Promise<void>((resolve) => {
    onRequest = resolve;
  });
  const collector = createServer((request, response) => {
    request.resume();
    // Not silent: the exporter would give up.
    const dripping = setInterval(() => response.write('.'), 200);
    response.on('close', () => clearInterval(dripping));
    onRequest();
  });
  const { endpoint, close } = await listen(collector);
  const app = fastify();
  mountTraces(app, { endpoint, share: 1, node: 'node-1', close_timeout_ms: 300 });
  app.get('/', async () => 'hello');
  expect((await app.inject({ url: '/' })).statusCode).toBe(200);
  await app.close();
  await requested;
  collector.closeAllConnections();
  await close();
});

test('the log of a failure has the status, not the answer of the collector', async () => {
  const collector = createServer((request, response) => {
    request.resume();
    response.writeHead(400).end('a long answer');
  });
  const { endpoint, close } = await listen(collector);
  const lines: string[] = [];
  const api = await buildTestApp({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
    logger: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
  });
  await api.app.inject({ url: '/v1/auth/config' });
  await api.close();
  await close();
  const line = lines.find((each) => each.includes('traces could not be sent')) ?? '';
  expect(JSON.parse(line)).toMatchObject({ code: 400 });
  expect(line).not.toContain('a long answer');
});

test('without a collector the server answers, says so once, and ends', async () => {
  const lines: string[] = [];
  const api = await buildTestApp({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await findFreePort()}` },
    logger: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
  });
  expect((await api.app.inject({ url: '/v1/auth/config' })).statusCode).toBeLessThan(500);
  await api.close();
  expect(lines.filter((line) => line.includes('traces could not be sent'))).toHaveLength(1);
});
