import { expect, test } from 'vitest';
import { createLogger } from '../platform/logger.ts';
import { createServer } from './server.ts';

type Headers = Record<string, string>;

/** Returns the warnings that name TRUST_PROXY after requests with these headers from 127.0.0.1. */
async function warningsOf(trust_proxy: string | undefined, ...requests: { url?: string; headers?: Headers }[]) {
  const lines: string[] = [];
  const logger = createLogger('warn', false, { write: (line) => void lines.push(line) });
  const app = await createServer({ logger, trust_proxy, public_url: 'http://localhost' });
  for (const { url = '/v1/openapi.json', headers = {} } of requests) await app.inject({ url, headers });
  await app.close();
  return lines.map((line) => JSON.parse(line).msg as string).filter((message) => message.startsWith('TRUST_PROXY: '));
}

const through = (addresses: string) => ({ headers: { 'x-forwarded-for': addresses } });
const forwarded = { headers: { forwarded: 'for=192.0.2.60;proto=https' } };

test.each([
  ['none is set, and a proxy forwards', undefined, through('192.0.2.1'), /it is not set/],
  ['none is set, and a proxy forwards in the newer way', undefined, forwarded, /it is not set/],
  ['another address is trusted', '10.0.0.1', through('192.0.2.1'), /does not name/],
  ['more proxies are counted than there are', '2', through('192.0.2.1'), /more proxies than/],
  ['a request went past the proxy', '1', {}, /without X-Forwarded-For/],
  ['the proxy forwards in the newer way alone', 'loopback', forwarded, /Forwarded, which is not read/],
])('TRUST_PROXY is told once when %s', async (_name, trust_proxy, request, words) => {
  expect(await warningsOf(trust_proxy, request, request, {})).toEqual([expect.stringMatching(words)]);
});

test.each([
  ['there is no proxy', undefined, {}],
  ['the proxy is trusted', 'loopback', through('192.0.2.1')],
  ['their number is right', '1', through('192.0.2.1')],
  ['a client claims an address before the right number of proxies', '1', through('198.51.100.9, 192.0.2.1')],
  ['a balancer asks for itself', '1', { url: '/readyz' }],
  ['a neighbour asks for itself, and addresses are trusted', '10.0.0.1', {}],
])('nothing is told when %s', async (_name, trust_proxy, request) => {
  expect(await warningsOf(trust_proxy, request, request)).toEqual([]);
});
