import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '#test/free-port.ts';
import { openChallengeServer } from './acme/challenge-server.ts';
import { createMetricsServer } from './metrics/metrics-server.ts';
import { createGuide } from './phone/guide.ts';
import { openLocalCa } from './phone/local-ca.ts';

const HOST = '127.0.0.1';
const PUBLIC_URL = 'https://club.example';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';

/** Of every reply over plain http. Neither HSTS nor COOP: browsers ignore both there. */
const EVERYWHERE = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'";
const PAGE = `default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src ${PUBLIC_URL}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`;

interface Asked {
  method?: string;
  headers?: Record<string, string>;
}
type Row = [what: string, status: number, type: string | null, path: string, asked?: Asked];

async function expectReply(port: number, [, status, type, path, asked = {}]: Row, policy: string): Promise<void> {
  const reply = await fetch(`http://${HOST}:${port}${path}`, { redirect: 'manual', ...asked });
  expect([reply.status, reply.headers.get('content-type')]).toEqual([status, type]);
  const headers = Object.fromEntries(reply.headers);
  expect(headers).toMatchObject({ ...EVERYWHERE, 'content-security-policy': policy });
  for (const name of ['access-control-allow-origin', 'server', 'x-powered-by', 'set-cookie'])
    expect(headers[name]).toBeUndefined();
}

describe('at the port by which a CA checks the name', () => {
  let port: number;
  let server: Awaited<ReturnType<typeof openChallengeServer>>;
  beforeAll(async () => {
    port = await findFreePort();
    server = await openChallengeServer({ port, host: HOST }, PUBLIC_URL);
    server.answer('token', 'answer');
  });
  afterAll(() => server.close());

  test.each<Row>([
    ['the answer', 200, 'application/octet-stream', '/.well-known/acme-challenge/token'],
    ['an unknown answer', 308, null, '/.well-known/acme-challenge/other'],
    ['a page', 308, null, '/login'],
    ['a call', 421, TEXT_TYPE, '/v1/auth/me'],
    ['a form', 421, TEXT_TYPE, '/oidc/token', { method: 'POST' }],
  ])('%s', async (...row) => {
    await expectReply(port, row, NO_PAGE);
  });
});

describe('at the guide of phones', () => {
  const page = { headers: { accept: 'text/html' } };
  let folder: string;
  let server: Server;
  let port: number;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sendlap-guide-'));
    const ca = await openLocalCa(folder, 'laptop', new Date());
    server = createServer(createGuide({ ca, public_url: PUBLIC_URL })).listen(0, HOST);
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });

  test.each<Row>([
    ['the page', 200, HTML_TYPE, '/', page],
    ['a page of the app', 200, HTML_TYPE, '/dashboard', page],
    ['the page to HEAD', 200, HTML_TYPE, '/', { method: 'HEAD', ...page }],
    ['a call', 421, HTML_TYPE, '/v1/auth/me'],
    ['the certificate', 200, 'application/x-x509-ca-cert', '/sendlap-ca.crt'],
    ['the script', 200, 'text/javascript; charset=utf-8', '/guide.js'],
    ['the style', 200, 'text/css; charset=utf-8', '/pages.css'],
  ])('%s', async (...row) => {
    await expectReply(port, row, PAGE);
  });
});

describe('at the port of the metrics', () => {
  let fails = false;
  const errors: unknown[] = [];
  const metrics = createMetricsServer({
    port: 0,
    host: HOST,
    content_type: TEXT_TYPE,
    readMetrics: () => (fails ? Promise.reject(new Error('a fault')) : Promise.resolve('up 1\n')),
    onError: (error) => errors.push(error),
  });
  let port: number;
  beforeAll(async () => {
    ({ port } = await metrics.listen());
  });
  afterAll(() => metrics.close());

  test.each<Row>([
    ['the metrics', 200, TEXT_TYPE, '/metrics'],
    ['the metrics to HEAD', 200, TEXT_TYPE, '/metrics', { method: 'HEAD' }],
    ['another address', 404, null, '/'],
    ['another method', 405, null, '/metrics', { method: 'POST' }],
  ])('%s', async (...row) => {
    await expectReply(port, row, NO_PAGE);
  });

  test('a fault', async () => {
    fails = true;
    await expectReply(port, ['', 500, null, '/metrics'], NO_PAGE);
    expect(errors).toEqual([new Error('a fault')]);
  });
});
