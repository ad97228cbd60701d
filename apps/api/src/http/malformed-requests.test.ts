import dns from 'node:dns';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { testUnlessMissing } from '#test/skip-without.ts';
import { createServer } from './server.ts';

const SLOW = 'POST /a HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{';
const usual = { logger: false, trust_proxy: undefined, public_url: 'http://localhost' } as const;

afterEach(() => vi.restoreAllMocks());

async function startServer(
  options: Partial<Parameters<typeof createServer>[0]> = {},
  host = '127.0.0.1',
  mount: (app: FastifyInstance) => void = () => {},
) {
  const app = await createServer({ ...usual, ...options });
  mount(app);
  onTestFinished(() => app.close());
  app.post('/a', { schema: { hide: true } }, async () => ({}));
  await app.listen({ port: 0, host });
  return app;
}

function openSocket(app: FastifyInstance, host = '127.0.0.1'): Socket {
  const socket = connect((app.server.address() as AddressInfo).port, host);
  onTestFinished(() => void socket.destroy());
  return socket.on('error', () => {});
}

/** Reads the server's whole output until the server closes the connection. */
async function readReply(socket: Socket) {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  // An error of the connection after that is irrelevant: the text read so far is the answer.
  await new Promise((resolve) => socket.once('close', resolve));
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [status_line = '', ...fields] = head.split('\r\n');
  const headers = Object.fromEntries(fields.map((field) => field.split(/: (.*)/).map((part) => part.toLowerCase())));
  return { status: Number(status_line.split(' ')[1]), headers, body: JSON.parse(body) as unknown };
}

test.each<[string, string, number, string]>([
  ['that is no HTTP', 'hello\r\n\r\n', 400, 'bad_request'],
  [
    'with two lengths',
    'POST /a HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
    400,
    'bad_request',
  ],
  [
    'with a length and in chunks',
    'POST /a HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
    'bad_request',
  ],
  [
    'with chunks that another encoding follows',
    'POST /a HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n',
    400,
    'bad_request',
  ],
  ['with a length that is no number', 'POST /a HTTP/1.1\r\nhost: a\r\ncontent-length: +1\r\n\r\na', 400, 'bad_request'],
  [
    'with 20 KB of headers',
    `GET / HTTP/1.1\r\nhost: a\r\ncookie: ${'c'.repeat(20_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  ['that expects the unknown', 'GET / HTTP/1.1\r\nhost: a\r\nexpect: coffee\r\n\r\n', 417, 'expectation_failed'],
])('a request %s is refused with the envelope and the headers of every reply', async (_name, request, status, code) => {
  const socket = openSocket(await startServer());
  socket.write(request);
  expect(await readReply(socket)).toMatchObject({
    status,
    headers: {
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'self'"),
      'x-content-type-options': 'nosniff',
      'x-server-time': expect.stringMatching(/^\d{13}$/),
      'x-request-id': expect.stringMatching(/^[\da-f]{12}$/),
      connection: 'close',
    },
    body: { success: false, code, message: expect.any(String) },
  });
});

test('a body that drips for ever is ended with 408', async () => {
  const arrival_timeouts = { request_ms: 200, headers_ms: 100, checking_interval_ms: 50, idle_ms: 1_000 };
  const app = await startServer({ arrival_timeouts });
  const socket = openSocket(app);
  socket.write(SLOW);
  const dripping = setInterval(() => socket.write(' '), 20);
  onTestFinished(() => clearInterval(dripping));
  // Writing to the closed connection would discard the answer before it is read here.
  app.server.prependListener('clientError', () => clearInterval(dripping));
  const reply = await readReply(socket);
  expect(reply).toMatchObject({ status: 408, body: { success: false, code: 'request_timeout' } });
});

test('a slow request is found soon after its time is over', async () => {
  const { server } = await startServer();
  const { connectionsCheckingInterval, requestTimeout } = server as Server & { connectionsCheckingInterval: number };
  expect([requestTimeout, connectionsCheckingInterval]).toEqual([10_000, 2_000]);
});

// macOS only answers at 127.0.0.1.
testUnlessMissing(
  process.platform === 'darwin' ? 'an answer at 127.0.0.2' : undefined,
  'where a name is two addresses, both refuse alike',
  async () => {
    const lookUp = (host: string, _options: unknown, done: (error: null, found: dns.LookupAddress[]) => void) => {
      const found = host === 'localhost' ? ['127.0.0.1', '127.0.0.2'] : [host];
      const addresses = found.map((address) => ({ address, family: 4 }));
      done(null, addresses);
    };
    vi.spyOn(dns, 'lookup').mockImplementation(lookUp as typeof dns.lookup);
    const app = await startServer({}, 'localhost');
    for (const address of ['127.0.0.1', '127.0.0.2']) {
      const socket = openSocket(app, address);
      socket.write('hello\r\n\r\n');
      expect(await readReply(socket)).toMatchObject({ status: 400, body: { code: 'bad_request' } });
    }
  },
);

test('a reply that has begun is cut off, and no second one is written into it', async () => {
  const app = await startServer({}, undefined, (server) =>
    server.get('/begun', { schema: { hide: true } }, (_request, reply) => {
      reply.hijack().raw.writeHead(200, { 'content-length': 1_000 }).write('begun');
    }),
  );
  const socket = openSocket(app);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    if (text === '') socket.write('no request\r\n\r\n');
    text += chunk;
  });
  socket.write('GET /begun HTTP/1.1\r\nhost: a\r\n\r\n');
  // An error of the connection after that is irrelevant: the text read so far is the answer.
  await new Promise((resolve) => socket.once('close', resolve));
  expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(text.endsWith('begun')).toBe(true);
});
