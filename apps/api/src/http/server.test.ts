import { randomUUID } from 'node:crypto';
import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import { STREET_TILES_PATH, TILES_PATH } from '@sendlap/contract/map/tiles.ts';
import { EXPORT_ACTIVITIES_PATH, EXPORT_PATH } from '@sendlap/contract/users.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { listEndpoints } from '#test/app/endpoints.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { mountHealth } from './health.ts';
import { createServer } from './server.ts';

let api: TestApp;
let ada: SignedIn;

beforeAll(async () => {
  api = await buildTestApp();
  ada = await api.signIn('Ada');
});
afterAll(() => api.close());

async function sendBody(body: string | Buffer, headers: Record<string, string> = {}) {
  const reply = await api.app.inject({
    method: 'POST',
    url: '/v1/activities/sync',
    headers: { ...ada.headers, 'content-type': 'application/json', ...headers },
    payload: body,
  });
  return { status: reply.statusCode, body: reply.json() };
}

describe('a body is refused, with an envelope that says why,', () => {
  const deep = `${'{"a":'.repeat(21)}1${'}'.repeat(21)}`;
  test.each<[string, string | Buffer, number, string]>([
    ['when it is empty', '', 400, 'validation_failed'],
    ['when it is not JSON', '{"ops":', 400, 'bad_request'],
    ['when it is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, 'bad_request'],
    ['when it holds U+0000', '{"ops":"\\u0000"}', 400, 'bad_request'],
    ['when it holds a lone surrogate', '{"ops":"\\ud800"}', 400, 'bad_request'],
    ['when it is nested deeper than 20 levels', deep, 400, 'bad_request'],
    ['when it has a __proto__ key', '{"__proto__":{"ops":[]},"ops":[]}', 400, 'bad_request'],
    ['when it has a field too many', '{"ops":[],"more":1}', 400, 'validation_failed'],
    ['when a number comes as text', '{"ops":"1"}', 400, 'validation_failed'],
    ['when it is an array', '[]', 400, 'validation_failed'],
    ['when it is over 64 KiB', JSON.stringify({ ops: 'x'.repeat(70_000) }), 413, 'payload_too_large'],
  ])('%s [spec 3.envelope.failure]', async (_name, body, status, code) => {
    const reply = await sendBody(body);
    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject({ success: false, code, message: expect.any(String) });
    expect(reply.body.error).toBe(reply.body.message);
  });

  test('when it is no JSON by its type', async () => {
    const reply = await sendBody('ops=1', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(reply).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });

  test('naming the part that is wrong', async () => {
    const reply = await sendBody('{"ops":[],"more":1}');
    expect(reply.body.details.length).toBeGreaterThan(0);
    expect(reply.body.details[0].path).toMatch(/^body/);
  });
});

describe('an address', () => {
  test.each(['/v1/nothing', '/assets/nothing', '/nothing.js'])(
    'without a route gives 404 in an envelope: %s',
    async (url) => {
      const reply = await api.app.inject({ url, headers: ada.headers });
      expect(reply.statusCode).toBe(404);
      expect(reply.json()).toMatchObject({ success: false, code: 'not_found' });
    },
  );

  test.each([
    `/v1/activities/%00`,
    '/v1/activities/not-a-uuid',
    `/v1/activities/${'a'.repeat(300)}`,
    '/v1/activities?limit=0',
    '/v1/activities?limit=101',
    '/v1/activities?limit=1e1',
    '/v1/activities?limit=%00',
    '/v1/activities?unknown=1',
    '/v1/activities?limit=1&limit=2',
    '/v1/leaderboards?key=2025-W53',
    '/v1/leaderboards?key=9999-W52',
    '/v1/leaderboards?sport=chess',
  ])('with a bad part gives 4xx, never 5xx: %s', async (url) => {
    const reply = await api.app.inject({ url, headers: ada.headers });
    expect(reply.statusCode).toBeGreaterThanOrEqual(400);
    expect(reply.statusCode).toBeLessThan(500);
    expect(reply.json().success).toBe(false);
  });

  test('is decoded once, and checked after that', async () => {
    const codeOf = async (url: string) => (await api.app.inject({ url, headers: ada.headers })).json().code;
    const id = randomUUID();
    expect(await codeOf('/v1/activities?limit=%31')).toBeUndefined();
    expect(await codeOf('/v1/activities?limit=%2531')).toBe('validation_failed');
    expect(await codeOf(`/v1/activities/${id.replaceAll('-', '%2d')}`)).toBe('activity_not_found');
    expect(await codeOf(`/v1/activities/${id.replaceAll('-', '%252d')}`)).toBe('validation_failed');
  });

  test('answers with and without a final slash, in an envelope [spec 3.envelope.success, 7.all.wrapped]', async () => {
    for (const url of ['/v1/auth/me', '/v1/auth/me/']) {
      const reply = await api.app.inject({ url, headers: ada.headers });
      expect(reply.json()).toMatchObject({ success: true, data: { user: { id: ada.user.id } } });
    }
  });
});

describe('a path that means something else', () => {
  test.each(['/%00', '/v1/%00', '/assets/x%00.js', '/%zz', '/%ff', '/v1/events'])(
    'is refused in an envelope, never with 5xx or 403: %s',
    async (url) => {
      const reply = await api.app.inject({ url, headers: { ...ada.headers, accept: 'application/json' } });
      expect([400, 404]).toContain(reply.statusCode);
      expect(reply.json().success).toBe(false);
      expect(reply.body).not.toContain('%');
    },
  );
});

describe('every reply', () => {
  test('of a call is not kept by any cache, and has the time of the server', async () => {
    const before = Date.now();
    const { headers } = await api.app.inject({ url: '/v1/auth/me', headers: ada.headers });
    expect(headers['cache-control']).toBe('no-store');
    expect(Number(headers['x-server-time'])).toBeGreaterThanOrEqual(before);
  });

  test('about centers may be kept, and therefore has no time', async () => {
    const { headers } = await api.app.inject({ url: '/v1/sport-centers' });
    expect(headers['cache-control']).toMatch(/^public/);
    expect(headers['x-server-time']).toBeUndefined();
  });

  test.each([
    '/healthz',
    '/v1/auth/me',
    '/v1/nothing',
    '/%zz',
    '/oidc/token',
    '/oidc/.well-known/openid-configuration',
  ])('carries the headers that keep scripts, frames and sniffing out: %s', async (url) => {
    const { headers } = await api.app.inject({ url });
    expect(headers['content-security-policy']).toContain("default-src 'self'");
    expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).toMatch(/form-action ('self'|'none')/);
    expect(headers['content-security-policy']).not.toContain('unsafe-inline');
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(self), geolocation=(self), microphone=(), payment=()',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
    });
  });

  test('asks for https for a year where the app is on https, and only there', async () => {
    const own = await buildTestApp({ env: { PUBLIC_URL: 'https://sendlap.example' } });
    const { headers } = await own.app.inject({ url: '/v1/auth/me' });
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    await own.close();
    expect((await api.app.inject({ url: '/v1/auth/me' })).headers['strict-transport-security']).toBeUndefined();
  });
});

describe('the OpenAPI document', () => {
  test('has every endpoint of the contract, so that none is left without a route', async () => {
    const { paths } = (await api.app.inject({ url: '/v1/openapi.json' })).json();
    const endpoints = await listEndpoints();
    expect(endpoints.length).toBeGreaterThan(15);
    const missing = endpoints.filter(({ method, path }) => {
      const operations = paths[path.replaceAll(/:(\w+)/g, '{$1}')];
      return operations?.[method.toLowerCase()]?.responses === undefined;
    });
    expect(missing).toEqual([]);
  });

  test.each([
    [EVENTS_PATH, 'text/event-stream', true],
    [EXPORT_PATH, 'application/json', true],
    [EXPORT_ACTIVITIES_PATH, 'text/csv', true],
    [`${TILES_PATH}/{z}/{x}/{file}`, 'application/vnd.mapbox-vector-tile', false],
    [`${STREET_TILES_PATH}/{z}/{x}/{file}`, 'application/vnd.mapbox-vector-tile', false],
  ])('says of %s, which has no envelope, that it gives %s', async (path, type, is_for_users) => {
    const { paths } = (await api.app.inject({ url: '/v1/openapi.json' })).json();
    const operation = paths[path]?.get;
    expect(operation).toMatchObject({ summary: expect.any(String), tags: [path.split('/')[2]] });
    expect(operation.security).toEqual(is_for_users ? [{ bearer: [] }] : undefined);
    expect(Object.keys(operation.responses['200'].content)).toEqual([type]);
  });
});

describe('health', () => {
  test('says ready only while the database answers', async () => {
    const own = await buildTestApp();
    expect((await own.app.inject({ url: '/readyz' })).statusCode).toBe(200);
    await own.database.destroy();
    expect((await own.app.inject({ url: '/readyz' })).statusCode).toBe(503);
    expect((await own.app.inject({ url: '/healthz' })).statusCode).toBe(200);
    await own.close().catch(() => {});
  });

  test('says not ready while the disk of the database is full', async () => {
    const own = await openTestDatabase();
    // This limit fails the same write that a full disk would.
    const full = openDatabase(`${own.url}&options=${encodeURIComponent('-c temp_file_limit=0')}`);
    const askOn = async (database: Database) => {
      const app = await createServer({ logger: false, trust_proxy: undefined, public_url: 'http://localhost' });
      mountHealth(app, database, { accepting: true });
      const reply = await app.inject({ url: '/readyz' });
      await app.close();
      return [reply.statusCode, reply.json()];
    };
    expect(await askOn(full)).toEqual([503, { status: 'unavailable', reason: 'disk_full' }]);
    expect(await askOn(own.database)).toEqual([200, { status: 'ready' }]);
    await full.destroy();
    await own.close();
  });
});

test('a token that no server signed is refused with 401, whatever it looks like', async () => {
  for (const token of ['', 'x', 'a.b.c', randomUUID(), `${ada.token}x`]) {
    const reply = await api.app.inject({ url: '/v1/auth/me', headers: { authorization: `Bearer ${token}` } });
    expect(reply.statusCode).toBe(401);
  }
});
