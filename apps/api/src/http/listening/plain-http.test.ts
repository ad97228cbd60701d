import { once } from 'node:events';
import { request } from 'node:http';
import https from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeCertificate } from '#test/certificate.ts';
import { createServer } from '../server.ts';

const PUBLIC_URL = 'https://club.example:8443';

/** Browsers ignore HSTS and COOP there. */
const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

let app: FastifyInstance;
let port: number;
const pair = makeCertificate();

beforeEach(async () => {
  app = await createServer({ logger: false, trust_proxy: undefined, public_url: PUBLIC_URL, tls: pair });
  app.post('/echo', async ({ body }) => body);
  await app.listen({ port: 0, host: 'localhost' });
  port = (app.server.address() as AddressInfo).port;
});
afterEach(async () => {
  vi.useRealTimers();
  await app.close();
});

async function askPlain(path: string, headers: Record<string, string> = {}, host = 'localhost') {
  const asked = request({ host, port, path, headers: { host: `sendlap.lan:${port}`, ...headers }, agent: false }).end();
  const [response] = await once(asked, 'response');
  return { status: response.statusCode as number, headers: response.headers, body: await text(response) };
}

async function askTls(body: object): Promise<unknown> {
  const options = { method: 'POST', ca: pair.cert, agent: false, headers: { 'content-type': 'application/json' } };
  const asked = https.request(`https://localhost:${port}/echo`, options).end(JSON.stringify(body));
  const [response] = await once(asked, 'response');
  return JSON.parse(await text(response));
}

test.each([
  ['en-GB', 'This is not Sendlap’s address', `http://sendlap.lan:`],
  ['es', 'Esta no es la dirección de Sendlap', `http://sendlap.lan:`],
])(
  'plain http at the port of https gets a page in %s that names the right address',
  async (language, title, opened) => {
    const { status, headers, body } = await askPlain('/dashboard?x=1', { 'accept-language': language });
    expect(status).toBe(421);
    expect(headers).toMatchObject(PAGE_HEADERS);
    expect(headers['strict-transport-security']).toBeUndefined();
    for (const part of [title, opened, `href="${PUBLIC_URL}/"`, 'PUBLIC_URL']) expect(body).toContain(part);
  },
);

test.each([
  ['/v1/auth/me', 421],
  ['/pages.css', 200],
])('%s over plain http has the headers of a page', async (path, status) => {
  const reply = await askPlain(path, { accept: 'application/json' });
  expect(reply.status).toBe(status);
  expect(reply.headers).toMatchObject(PAGE_HEADERS);
});

test('where only the scheme is wrong the page names no setting', async () => {
  const { body } = await askPlain('/', { host: 'club.example:8443' });
  expect(body).toContain('http://club.example:8443');
  expect(body).not.toContain('PUBLIC_URL');
});

// A Host header omits the usual port of its scheme: https omits 443, http omits 80.
test.each([
  ['https://club.example', 'club.example:443'],
  ['https://192.168.1.5:80', '192.168.1.5'],
])('the page of a server at %s names no setting to a browser that sends the host %s', async (public_url, host) => {
  await app.close();
  app = await createServer({ logger: false, trust_proxy: undefined, public_url, tls: pair });
  await app.listen({ port: 0, host: 'localhost' });
  port = (app.server.address() as AddressInfo).port;
  const { body } = await askPlain('/', { host });
  expect(body).toContain(`href="${public_url}/"`);
  expect(body).not.toContain('PUBLIC_URL');
});

test('markup in the Host header does not reach the page', async () => {
  const { body } = await askPlain('/', { host: '"><script>alert(1)</script>' });
  expect(body).not.toContain('<script>');
});

test('both addresses of localhost answer plain http', async () => {
  const addresses = app.addresses() as AddressInfo[];
  for (const { address } of addresses) expect((await askPlain('/', {}, address)).status).toBe(421);
});

test('https keeps working, a large body included, while other callers speak plain http or nothing', async () => {
  const silent = connect(port, 'localhost');
  await once(silent, 'connect');
  const large = { text: 'x'.repeat(60_000) };
  const replies = await Promise.all([askTls({ a: 1 }), askPlain('/'), askTls(large)]);
  expect(replies[0]).toEqual({ a: 1 });
  expect(replies[2]).toEqual(large);
  silent.destroy();
});

test('a TLS handshake that does not end is cut off after 10 s, a connection that ended it is not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const trusted = connectTls({ port, host: 'localhost', ca: pair.cert });
  await once(trusted, 'secureConnect');
  const unfinished = connect({ port, host: 'localhost' });
  await once(unfinished, 'connect');
  unfinished.write('\x16\x03\x01');
  // The server has read both once it has answered a later one.
  await askPlain('/');
  vi.advanceTimersByTime(10_000);
  await once(
    unfinished.on('error', () => {}),
    'close',
  );
  trusted.write('GET /none HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
  expect(await text(trusted)).toMatch(/^HTTP\/1\.1 404 /);
});

test.each([
  ['is silent', ''],
  ['does not finish its request', 'GET / HTTP/1.1\r\nhost: x\r\n'],
  ['does not finish its body', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhi'],
  ['stays after its reply', 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'],
  ['does not finish its TLS handshake', '\x16\x03\x01'],
])('a client that %s does not hold up the end of the server', async (_name, sent) => {
  const socket = connect({ port, host: 'localhost', allowHalfOpen: true });
  const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
  await once(socket, 'connect');
  socket.write(sent);
  // The server has read it once it has answered a later one.
  await askPlain('/');
  await app.close();
  socket.resume().end();
  await closed;
});
