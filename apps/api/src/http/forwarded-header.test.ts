import { expect, test } from 'vitest';
import { createLogger } from '../platform/logger.ts';
import { createServer } from './server.ts';

interface TestRequest {
  url?: string;
  headers?: Record<string, string>;
  remoteAddress?: string;
}

/** Returns the warnings that name TRUST_PROXY after these requests, from 127.0.0.1 unless they name another address. */
async function warningsOf(trust_proxy: string | undefined, ...requests: TestRequest[]) {
  const lines: string[] = [];
  const logger = createLogger('warn', false, { write: (line) => void lines.push(line) });
  const app = await createServer({ logger, trust_proxy, public_url: 'http://localhost' });
  for (const request of requests) await app.inject({ url: '/v1/openapi.json', ...request });
  await app.close();
  return lines.map((line) => JSON.parse(line).msg as string).filter((message) => message.startsWith('TRUST_PROXY: '));
}

const through = (addresses: string) => ({ headers: { 'x-forwarded-for': addresses } });
const forwarded = { headers: { forwarded: 'for=192.0.2.60;proto=https' } };

test.each([
  ['none is set, and a proxy forwards', undefined, through('192.0.2.1'), /none is set/],
  ['none is set, and a proxy forwards in the newer way', undefined, forwarded, /none is set/],
  ['another address is trusted', '10.0.0.1', through('192.0.2.1'), /does not name/],
  ['more proxies are counted than there are', '2', through('192.0.2.1'), /more proxies than/],
  ['a request went past the proxy', '1', {}, /without X-Forwarded-For/],
  ['a named proxy sends no addresses', '10.0.0.1, loopback', {}, /without X-Forwarded-For/],
  ['a proxy of a named subnet sends no addresses', '127.0.0.0/16', {}, /without X-Forwarded-For/],
  ['no proxy is counted, and one forwards', '0', through('192.0.2.1'), /none is set/],
  ['the proxy forwards in the newer way alone', 'loopback', forwarded, /Forwarded, which is not read/],
])('the log names TRUST_PROXY once when %s', async (_name, trust_proxy, request, words) => {
  expect(await warningsOf(trust_proxy, request, request)).toEqual([expect.stringMatching(words)]);
});

test.each([
  ['there is no proxy', undefined, {}],
  ['the proxy is trusted', 'loopback', through('192.0.2.1')],
  ['their number is right', '1', through('192.0.2.1')],
  ['a client claims an address before the right number of proxies', '1', through('198.51.100.9, 192.0.2.1')],
  ['a balancer asks for itself', '1', { url: '/readyz' }],
  ['a balancer asks for itself, and is trusted by its address', 'loopback', { url: '/healthz' }],
  ['no proxy is counted, and no proxy forwards', '0', {}],
  ['a neighbour asks for itself, and addresses are trusted', '10.0.0.1', {}],
])('the log stays empty when %s', async (_name, trust_proxy, request) => {
  expect(await warningsOf(trust_proxy, request, request)).toEqual([]);
});

test('a harmless misfit does not hide a worse one', async () => {
  const local_call = {};
  expect(await warningsOf('2', local_call, through('192.0.2.1'), local_call, through('192.0.2.2'))).toEqual([
    expect.stringMatching(/without X-Forwarded-For/),
    expect.stringMatching(/clients can claim any address/),
  ]);
});

test('a proxy is recognised by its address in the form of IPv6 too', async () => {
  expect(await warningsOf('10.1.0.0/16', { remoteAddress: '::ffff:10.1.2.3' })).toEqual([
    expect.stringMatching(/without X-Forwarded-For/),
  ]);
  expect(await warningsOf('10.1.0.0/16', { remoteAddress: '::ffff:10.2.2.3' })).toEqual([]);
});

test.each([
  ['no proxy is trusted', undefined, '198.51.100.9', '127.0.0.1'],
  ['another proxy is trusted', '10.0.0.1', '198.51.100.9', '127.0.0.1'],
  ['the one proxy adds the real one behind it', '1', '198.51.100.9, 192.0.2.1', '192.0.2.1'],
])('an address that a client makes up is not its address when %s', async (_name, trust_proxy, addresses, expected) => {
  const app = await createServer({
    logger: createLogger('silent', false),
    trust_proxy,
    public_url: 'http://localhost',
  });
  app.get('/address-of-the-caller', ({ ip }) => ip);
  const reply = await app.inject({ url: '/address-of-the-caller', ...through(addresses) });
  await app.close();
  expect(reply.body).toContain(expected);
  expect(reply.body).not.toContain('198.51.100.9');
});
