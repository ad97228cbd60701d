import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { syncActivities } from '@sendlap/contract/activities.ts';
import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import { listSportCenters, searchSportCenters } from '@sendlap/contract/sport-centers.ts';
import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { loadEndpoints, operationOf } from '#test/contract-endpoints.ts';
import { addCenters, type CenterSeed } from '#test/scenes/center-scene.ts';
import { RawJson } from '../raw-json.ts';
import { type Authenticator, createRoute } from '../route.ts';
import { createServer } from '../server.ts';

const HALLS: CenterSeed[] = Array.from({ length: 100 }, (_, at) => ({
  name: `Hall ${at}`,
  at: [36 + at / 100, -3],
  sports: ['climbing'],
}));
const PAGE = `${listSportCenters.path}?limit=100`;
const GZIP = { 'accept-encoding': 'gzip, deflate, br' };

let api: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  api = await buildTestApp({ listen: true, seed: async (database) => void (await addCenters(database, HALLS)) });
  ada = await api.signIn('Ada');
});
afterAll(() => api.close());

type Headers = Record<string, string>;

async function ask(url: string, headers: Headers = {}, method: 'GET' | 'HEAD' = 'GET', app = api.app) {
  // Another host gets a page that names the right one.
  const host = new URL(api.url).host;
  const reply = await app.inject({ method, url, headers: { host, ...headers } });
  return { status: reply.statusCode, headers: reply.headers, bytes: reply.rawPayload };
}

/** Sends 50 steps, each of which is wrong. */
function sendWrongSteps(headers: Headers = {}) {
  const payload = { ops: Array.from({ length: 50 }, () => ({ kind: 'start' })) };
  const sent = { ...ada.headers, host: new URL(api.url).host, ...headers };
  return api.app.inject({ method: 'POST', url: syncActivities.path, headers: sent, payload });
}

describe('a reply is not compressed', () => {
  test.each([undefined, '', 'identity', 'br, deflate', 'gzip;q=0', 'gzip; q=0.000, *', 'xgzip'])(
    'for a caller that accepts %j',
    async (accepted) => {
      const { status, headers, bytes } = await ask(PAGE, accepted === undefined ? {} : { 'accept-encoding': accepted });
      expect([status, headers['content-encoding'], headers.vary]).toEqual([200, undefined, 'accept-encoding']);
      expect(headers['content-length']).toBe(String(bytes.length));
      expect(JSON.parse(bytes.toString()).data.items).toHaveLength(100);
    },
  );

  test('when it is small', async () => {
    const { headers, bytes } = await ask(`${listSportCenters.path}?limit=1`, GZIP);
    expect(bytes.length).toBeLessThan(2048);
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'accept-encoding']);
    expect(JSON.parse(bytes.toString()).data.items).toHaveLength(1);
  });

  test('when it is a small refusal', async () => {
    const { status, headers, bytes } = await ask('/v1/activities', GZIP);
    expect([status, headers['content-encoding']]).toEqual([401, undefined]);
    expect(JSON.parse(bytes.toString()).code).toBe('unauthenticated');
  });

  test.each([
    ['gzip', GZIP],
    ['nothing', {}],
  ])('when there is nothing new for a caller that accepts %s: both encodings have one ETag', async (_, accept) => {
    const { etag = '' } = (await ask(PAGE)).headers;
    const { status, headers, bytes } = await ask(PAGE, { ...accept, 'if-none-match': String(etag) });
    expect([status, bytes.length, headers['content-encoding'], headers.etag, headers.vary]).toEqual([
      304,
      0,
      undefined,
      etag,
      'accept-encoding',
    ]);
  });

  test('when it is the stream of events, whose lines come at once', async () => {
    const { port } = api.app.server.address() as AddressInfo;
    const stop = new AbortController();
    const stream = await fetch(`http://localhost:${port}${EVENTS_PATH}`, {
      headers: { ...ada.headers, ...GZIP },
      signal: stop.signal,
    });
    const read = await stream.body?.getReader().read();
    expect([stream.headers.get('content-encoding'), stream.headers.get('vary')]).toEqual([null, null]);
    expect(new TextDecoder().decode(read?.value)).toMatch(/^(:|id:|event:|retry:)/);
    stop.abort();
  });
});

test.each([2_048, 16_384, 100_000])('a reply of %i letters is compressed, in the pool or at once', async (length) => {
  const body = JSON.stringify({ success: true, data: 'a'.repeat(length) });
  const site = await createServer({ logger: false, trust_proxy: undefined, public_url: 'http://localhost:8000' });
  const route = createRoute(site, ADMIT_ALL, () => (_request, _reply, done) => done());
  route(listSportCenters, () => new RawJson<never>(body));
  const { headers, rawPayload } = await site.inject({ method: 'GET', url: listSportCenters.path, headers: GZIP });
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(rawPayload.length) });
  expect(String(gunzipSync(rawPayload))).toBe(body);
  await site.close();
});

describe('replies with tokens, keys and codes', () => {
  const LONG = new RawJson<never>(JSON.stringify({ success: true, data: 'a'.repeat(10_000) }));
  let site: FastifyInstance;
  let endpoints: Endpoint[];
  /** Operations whose long reply came compressed. */
  let compressed: string[];

  beforeAll(async () => {
    endpoints = [...(await loadEndpoints()).values()];
    site = await createServer({ logger: false, trust_proxy: undefined, public_url: 'http://localhost:8000' });
    const route = createRoute(site, ADMIT_ALL, () => (_request, _reply, done) => done());
    for (const { params: _, query: __, body: ___, ...endpoint } of endpoints) route(endpoint, () => LONG);
    compressed = [];
    for (const endpoint of endpoints) {
      const { method, path: url } = endpoint;
      const { headers, statusCode, rawPayload } = await site.inject({ method, url, headers: GZIP });
      expect([url, statusCode]).toEqual([url, endpoint.status ?? 200]);
      const is_compressed = headers['content-encoding'] === 'gzip';
      expect(String(is_compressed ? gunzipSync(rawPayload) : rawPayload)).toBe(LONG.body);
      if (is_compressed) compressed.push(operationOf(endpoint));
    }
  });
  afterAll(() => site.close());

  test('are never compressed: those of sign-in, of kiosks, and of every change but steps', () => {
    const plain = endpoints.map(operationOf).filter((operation) => !compressed.includes(operation));
    expect(plain.filter((operation) => operation.startsWith('GET')).sort()).toEqual([
      'GET /v1/auth/config',
      'GET /v1/auth/me',
      'GET /v1/auth/oauth/authorize/cognito',
      'GET /v1/kiosks/me/board',
      'GET /v1/kiosks/me/keys',
    ]);
    expect(compressed.filter((operation) => !operation.startsWith('GET'))).toEqual(['POST /v1/activities/sync']);
    expect(compressed.length).toBeGreaterThan(30);
  });

  test('have names that a compressed reply has only for something public', () => {
    const named = endpoints
      .filter((endpoint) => compressed.includes(operationOf(endpoint)))
      .flatMap((endpoint) => namesIn(z.toJSONSchema(endpoint.data)).map((name) => `${operationOf(endpoint)}: ${name}`))
      .filter((line) => /: .*(token|secret|passw|key|code|invite|link|line)/.test(line));
    expect([...new Set(named)].sort()).toEqual([
      // Codes of refusals.
      'GET /v1/activities/:client_id: code',
      // Weeks.
      'GET /v1/dashboard: key',
      // The id of a key.
      'GET /v1/devices: key_id',
      'GET /v1/leaderboards/surrounding: key',
      'GET /v1/leaderboards: key',
      'GET /v1/manage/people/:public_id: has_password',
      // Public keys.
      'GET /v1/push-subscriptions/key: key',
      'GET /v1/sealing-key: public_key',
      // Where the line belongs, without the line.
      'GET /v1/sport-centers/:id/claim: line',
      'GET /v1/sport-centers/:id/weeks: week_key',
      'GET /v1/stats/recap: key',
      'GET /v1/stats/trend: key',
      'POST /v1/activities/sync: code',
    ]);
  });

  test('of a new call that sets its own `vary` keep it', async () => {
    const own = await createServer({ logger: false, trust_proxy: undefined, public_url: 'http://localhost:8000' });
    createRoute(own, ADMIT_ALL)(searchSportCenters, (_input, _caller, { reply }) => {
      reply.header('vary', 'accept-language');
      return LONG;
    });
    const { headers } = await own.inject({ url: searchSportCenters.path, headers: GZIP });
    expect([headers.vary, headers['content-encoding']]).toEqual(['accept-language, accept-encoding', 'gzip']);
    await own.close();
  });
});

describe('a long reply is compressed', () => {
  test('for a caller that accepts gzip, and is the same otherwise', async () => {
    const plain = await ask(PAGE);
    const packed = await ask(PAGE, GZIP);
    expect(String(gunzipSync(packed.bytes))).toBe(String(plain.bytes));
    const { date: _, 'content-length': __, ...rest } = plain.headers;
    expect(packed.headers).toMatchObject({ ...rest, 'content-encoding': 'gzip' });
    expect(packed.headers['content-length']).toBe(String(packed.bytes.length));
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 3);
  });

  test('as `fetch` reads it without knowing', async () => {
    const { port } = api.app.server.address() as AddressInfo;
    const reply = await fetch(`http://localhost:${port}${PAGE}`);
    expect(reply.headers.get('content-encoding')).toBe('gzip');
    expect(((await reply.json()) as { data: { items: unknown[] } }).data.items).toHaveLength(100);
  });

  test('when it is a refusal', async () => {
    const [plain, packed] = [await sendWrongSteps(), await sendWrongSteps(GZIP)];
    expect([packed.statusCode, packed.headers['content-encoding']]).toEqual([400, 'gzip']);
    expect(String(gunzipSync(packed.rawPayload))).toBe(plain.body);
    expect(packed.headers).toMatchObject({ 'cache-control': 'no-store', 'x-server-time': expect.any(String) });
  });

  test('to HEAD in its headers only: they are those of GET', async () => {
    const { headers } = await ask(PAGE, GZIP);
    const head = await ask(PAGE, GZIP, 'HEAD');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const name of ['content-encoding', 'content-length', 'vary', 'etag'])
      expect([name, head.headers[name]]).toEqual([name, headers[name]]);
  });
});

const SESSION = { user_id: 'x', session_id: 'x' } as never;
const ADMIT_ALL: Authenticator = {
  authenticate: () => SESSION,
  authenticateOperator: async () => SESSION,
  authenticateManager: async () => SESSION,
  authenticateKiosk: async () => ({ kiosk_id: 'x', sport_center_id: 'x' }),
  checkOrigin: () => {},
  findCookieSession: async () => undefined,
};

/** The names of all fields in a JSON schema. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties } = schema as { properties?: object };
  return [...Object.keys(properties ?? {}), ...Object.values(schema).flatMap(namesIn)];
}
