import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ForwardProxy, startForwardProxy } from '../e2e/server/forward-proxy.ts';

let proxy: ForwardProxy;
const server = createServer((call, reply) => reply.end(`served ${call.url}`));

beforeAll(async () => {
  proxy = await startForwardProxy();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => proxy.follow(undefined));
afterAll(async () => {
  await proxy.close();
  server.close();
});

const host = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;

function answerOf(options: object, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ ...options, path, headers: { host: host() } }, (reply: IncomingMessage) =>
      text(reply).then(resolve, reject),
    )
      .once('error', reject)
      .end();
  });
}

/** Requests a plain address as a browser does by a proxy. */
function askPlainly(path: string): Promise<string> {
  const { hostname, port } = new URL(proxy.address);
  return answerOf({ hostname, port }, `http://${host()}${path}`);
}

/** Requests a plain address as Playwright's own client does. */
async function askThroughTunnel(path: string): Promise<string> {
  const { hostname, port } = new URL(proxy.address);
  const tunnel = await new Promise<Socket>((resolve, reject) => {
    request({ hostname, port, method: 'CONNECT', path: host() })
      .once('connect', (_reply, socket: Socket) => resolve(socket))
      .once('error', reject)
      .end();
  });
  return answerOf({ createConnection: () => tunnel }, path);
}

const WAYS = [
  ['plainly', askPlainly],
  ['through a tunnel', askThroughTunnel],
] as const;

test.each(WAYS)('A call that may pass reaches the server, asked %s', async (_way, ask) => {
  expect(await ask('/page?a=1')).toBe('served /page?a=1');
});

test.each(WAYS)('A rule decides about a call that is asked %s', async (_way, ask) => {
  proxy.follow(({ path }) => (path === '/page' ? { status: 401, body: { code: 'refused' } } : 'lost'));
  expect(await ask('/page')).toBe('{"code":"refused"}');
  await expect(ask('/other')).rejects.toThrow();
});

test.each(WAYS)('A page of the network answers instead of the server, asked %s', async (_way, ask) => {
  proxy.follow(() => ({ status: 403, content: '<p>Pay first</p>', type: 'text/html' }));
  expect(await ask('/page')).toBe('<p>Pay first</p>');
});

test('A redirect leads to another address, and the rule gets the server of the call', async () => {
  const asked: string[] = [];
  proxy.follow(({ host: of }) => {
    asked.push(of);
    return { redirect: 'http://portal.example/welcome' };
  });
  const { hostname, port } = new URL(proxy.address);
  const location = await new Promise((resolve, reject) => {
    request({ hostname, port, path: `http://${host()}/page`, headers: { host: host() } }, (reply) =>
      resolve(reply.resume().headers.location),
    )
      .once('error', reject)
      .end();
  });
  expect([location, asked]).toEqual(['http://portal.example/welcome', [host()]]);
});

test('A request that the browser gave up while it was delayed still arrives', async () => {
  const delayed = Promise.withResolvers<'pass'>();
  const arrived = Promise.withResolvers<string | undefined>();
  server.once('request', (call: IncomingMessage) => arrived.resolve(call.url));
  const { hostname, port } = new URL(proxy.address);
  const call = request({ hostname, port, path: `http://${host()}/late`, headers: { host: host() } });
  const given_up = new Promise((resolve) => call.once('close', resolve));
  proxy.follow(() => {
    call.destroy();
    return delayed.promise;
  });
  call.once('error', () => {}).end();
  await given_up;
  delayed.resolve('pass');
  expect(await arrived.promise).toBe('/late');
});

test('Appending a text makes a different file of one that the browser has', async () => {
  proxy.follow(() => ({ append: '// 2' }));
  const answered = new Promise<IncomingMessage>((resolve) => server.once('request', resolve));
  const { hostname, port } = new URL(proxy.address);
  const { reply, content } = await new Promise<{ reply: IncomingMessage; content: string }>((resolve, reject) => {
    const headers = { host: host(), 'if-none-match': '"1"', 'if-modified-since': new Date(0).toUTCString() };
    request({ hostname, port, path: `http://${host()}/sw.js`, headers }, (got) => {
      text(got).then((content) => resolve({ reply: got, content }), reject);
    })
      .once('error', reject)
      .end();
  });
  const { headers } = await answered;
  expect([headers['if-none-match'], headers['if-modified-since']]).toEqual([undefined, undefined]);
  expect([reply.statusCode, content]).toEqual([200, 'served /sw.js// 2']);
});
