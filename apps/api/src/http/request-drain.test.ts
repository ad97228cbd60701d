import dns from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { openStreamNode } from '#test/app/stream-node.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { testUnlessMissing } from '#test/skip-without.ts';
import { createListeningStop } from './request-drain.ts';
import { createServer } from './server.ts';

/** Longer than any test. */
const NEVER_MS = 600_000;
const REQUEST = 'GET /v1/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n';

afterEach(() => vi.restoreAllMocks());

interface Asking {
  drain_timeout_ms?: number;
  host?: string;
  /** The address that the client connects to. */
  address?: string;
  /** Stops listening before it closes, as the shutdown does. */
  stops_first?: boolean;
}

/** Returns a server that is closing while it handles a request, which it answers when `answer` is called. */
async function closeWhileAsked(asking: Asking = {}) {
  const { drain_timeout_ms, host = '127.0.0.1', address = host, stops_first = false } = asking;
  const app = await createServer({
    logger: false,
    trust_proxy: undefined,
    public_url: 'http://localhost',
    drain_timeout_ms,
  });
  const { promise: may_answer, resolve: answer } = Promise.withResolvers<void>();
  const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>();
  app.get('/slow', { schema: { hide: true } }, async (_request, reply) => {
    isAsked();
    await may_answer;
    return reply.type('text/plain').send('answered');
  });
  const stopListening = createListeningStop(app);
  await app.listen({ port: 0, host });
  const { port } = app.server.address() as AddressInfo;
  const ask = (path: string) =>
    fetch(`http://${address}:${port}${path}`).then(
      async (response) => (response.ok ? response.text() : response.status),
      () => 'cut off',
    );
  const reply = ask('/slow');
  await asked;
  if (stops_first) await stopListening();
  const closed = app.close();
  await expect.poll(() => ask('/nothing')).not.toBe(404);
  // By then a server that did not wait would be closed.
  for (let nth = 0; nth < 20; nth += 1) await ask('/nothing');
  return { reply, answer, closed, url: `http://${address}:${port}` };
}

test('a request that takes too long is cut off when the server closes', async () => {
  const { reply, closed } = await closeWhileAsked({ drain_timeout_ms: 1 });
  expect(await reply).toBe('cut off');
  await closed;
});

test('a closing server answers the requests under way before it closes', async () => {
  const { reply, answer, closed } = await closeWhileAsked({ drain_timeout_ms: NEVER_MS });
  answer();
  expect(await reply).toBe('answered');
  await closed;
});

test('a request to a closing server gets 503 with the usual envelope, and a header by which clients connect elsewhere', async () => {
  const { reply, answer, closed, url } = await closeWhileAsked({ drain_timeout_ms: NEVER_MS });
  for (const path of ['/v1/openapi.json', '/nothing']) {
    const response = await fetch(url + path);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ success: false, code: 'unavailable', message: expect.any(String) });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      connection: 'close',
      'content-security-policy': expect.any(String),
      'retry-after': '2',
    });
  }
  answer();
  expect(await reply).toBe('answered');
  await closed;
});

// macOS only answers at 127.0.0.1.
for (const stops_first of [false, true])
  testUnlessMissing(
    process.platform === 'darwin' ? 'an answer at 127.0.0.2' : undefined,
    `where a name has two addresses, it also answers the requests under way at the second${stops_first ? ', when it has stopped listening' : ''}`,
    async () => {
      const lookUp = (host: string, _options: unknown, done: (error: null, found: dns.LookupAddress[]) => void) => {
        const found = host === 'localhost' ? ['127.0.0.1', '127.0.0.2'] : [host];
        done(
          null,
          found.map((address) => ({ address, family: 4 })),
        );
      };
      const lookup = vi.spyOn(dns, 'lookup').mockImplementation(lookUp as typeof dns.lookup);
      const asking = { drain_timeout_ms: NEVER_MS, host: 'localhost', address: '127.0.0.2', stops_first };
      const { reply, answer, closed } = await closeWhileAsked(asking);
      lookup.mockRestore();
      answer();
      expect(await reply).toBe('answered');
      await closed;
    },
  );

/** Opens a connection: `ask` sends a request, `ended` resolves with all received text, or with the error code. */
function openConnection(port: number) {
  const socket = connect(port, '127.0.0.1');
  const ended = text(socket).catch((error: NodeJS.ErrnoException) => String(error.code));
  return { opened: once(socket, 'connect').catch(() => []), ended, ask: () => socket.write(REQUEST) };
}

test('a server that stops listening answers the connections that wait in its queue and those that are open', async () => {
  const readiness = { accepting: false };
  const app = await createServer({ logger: false, trust_proxy: undefined, public_url: 'http://localhost', readiness });
  const stopListening = createListeningStop(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const open = openConnection(port);
  const [accepted] = await Promise.all([once(app.server, 'connection'), open.opened]);
  expect(accepted).toBeDefined();
  const waiting = Array.from({ length: 20 }, () => openConnection(port));
  for (const { ask } of waiting) ask();
  await stopListening();
  expect(await openConnection(port).ended).toBe('ECONNREFUSED');
  open.ask();
  for (const { ended } of [open, ...waiting])
    expect(await ended).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/s);
  await app.close();
});

test('only a server that drains ends the connection after a reply', async () => {
  const readiness = { accepting: true };
  const app = await createServer({ logger: false, trust_proxy: undefined, public_url: 'http://localhost', readiness });
  const readHeader = async () => (await app.inject('/v1/openapi.json')).headers.connection;
  expect(await readHeader()).toBe('keep-alive');
  readiness.accepting = false;
  expect(await readHeader()).toBe('close');
  await app.close();
});

test('an open event stream does not delay the close, even with an escaped path or a pipelined request', async () => {
  const own = await openTestDatabase();
  const node = await openStreamNode({ database: own.database, database_url: own.url, drain_timeout_ms: NEVER_MS });
  try {
    const { token } = await node.signIn();
    const socket = connect(node.port, '127.0.0.1');
    const headers = `host: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`;
    const ask = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\n${headers}`);
    ask(EVENTS_PATH.replace('e', '%65'));
    const [head] = await once(socket, 'data');
    expect(String(head)).toMatch(/^HTTP\/1\.1 200 /);
    ask('/v1/openapi.json');
    // The server reads requests in order: when this reply arrives, it has read the one above.
    await fetch(`http://127.0.0.1:${node.port}/v1/openapi.json`);
    const ended = once(socket, 'close');
    await node.close();
    await ended;
  } finally {
    await own.close();
  }
});
