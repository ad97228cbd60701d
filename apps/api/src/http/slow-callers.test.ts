import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { hold } from '#test/slow/hold.ts';
import { callHonestly } from '#test/slow/honest-callers.ts';
import { rememberConnections, watchConnections } from '#test/slow/server-ends.ts';
import { SLOW_KINDS } from '#test/slow/slow-kinds.ts';
import { createServer } from './server.ts';

const arrival_timeouts = { request_ms: 1_500, headers_ms: 1_200, checking_interval_ms: 100, idle_ms: 2_000 };
const usual = { logger: false, trust_proxy: undefined, public_url: 'https://localhost', arrival_timeouts } as const;
/** Those of https take the usual 10 s; `faults/slow.ts` has them. */
const kinds = SLOW_KINDS.filter(({ at }) => at !== 'tls_port');

/** A few; `npm run faults -- slow` holds a hundred of each kind, at a whole server. */
test('slow callers are ended, each with the right answer, while all others get theirs', async () => {
  const app = await createServer(usual);
  app.post('/a', { schema: { hide: true } }, async () => ({}));
  // More than the buffers of the system take.
  const large = Buffer.alloc(10_000_000);
  app.get('/large', { schema: { hide: true } }, async () => large);
  app.get('/small', { schema: { hide: true } }, async () => 'small');
  const takeChanges = watchConnections([app.server]);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const lookUp = rememberConnections(async () => takeChanges());
  const paths = { post: '/a', large: '/large', huge: '/large' };
  const target = { port, tls_port: 0, huge_port: port, ...paths, token: undefined, lookUp };
  const stop = new AbortController();
  const honest = callHonestly({ port, paths: ['/small'], tokens: [] }, 20, stop.signal);
  try {
    const plan = { count: 3, lasts_ms: 0, patience_ms: 30_000, drip_ms: 50 };
    const reports = await Promise.all(kinds.map((kind) => hold(kind, target, plan)));
    expect(reports.filter(({ still_open, wrong, not_accepted }) => still_open + wrong + not_accepted > 0)).toEqual([]);
    // The answer is lost where the caller still writes when the connection ends.
    expect(reports.flatMap(({ answers }) => Object.keys(answers))).toContain('408');
  } finally {
    stop.abort();
    const { sent, unanswered } = await honest;
    expect(sent).toBeGreaterThan(0);
    expect(unanswered).toEqual([]);
    await app.close();
  }
});

test('replies that a caller asks for in advance do not pile up', async () => {
  const app = await createServer(usual);
  let answered = 0;
  app.get('/large', { schema: { hide: true } }, async () => {
    answered += 1;
    return 'x'.repeat(100_000);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').resume();
  const request = 'GET /large HTTP/1.1\r\nhost: localhost\r\n';
  socket.on('error', () => {}).write(`${`${request}\r\n`.repeat(500)}${request}connection: close\r\n\r\n`);
  await once(socket, 'close');
  expect(answered).toBeGreaterThan(0);
  expect(answered).toBeLessThan(20);
  await app.close();
});
