import { brotliDecompressSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { mountDocsPage } from './docs-page.ts';

let api: TestApp;

beforeAll(async () => {
  api = await buildTestApp();
});
afterAll(() => api.close());

const get = (url: string, headers = {}) => api.app.inject({ url, headers });

/** Returns the addresses that the page loads. */
async function listLoads(): Promise<string[]> {
  const { body } = await get('/docs');
  return [...body.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]*)"/g)].map(([, address = '']) => address);
}

test.each(['/docs', '/docs/'])(
  '%s is a page without code or style of its own, under the policy of the server',
  async (path) => {
    const { statusCode, headers, body } = await get(path);
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toBe((await get('/v1/openapi.json')).headers['content-security-policy']);
    expect(body).not.toMatch(/<style|style=|<script>| on[a-z]+=/);
  },
);

test('the page loads only files of this server, and each exists', async () => {
  const loads = await listLoads();
  expect(loads.filter((address) => /\.(js|css)\?/.test(address))).toHaveLength(4);
  for (const address of loads) expect(address).toMatch(/^\/[a-z]/);
  for (const address of loads.filter((each) => each.startsWith('/docs/'))) {
    const { statusCode, headers } = await get(address);
    const type = address.includes('.css') ? 'text/css' : 'text/javascript';
    expect([statusCode, headers['content-type']]).toEqual([200, `${type}; charset=utf-8`]);
  }
});

test('its files are compressed for a browser that reads brotli, and a quarter as long', async () => {
  const plain = await get('/docs/swagger-ui-bundle.js');
  const compressed = await get('/docs/swagger-ui-bundle.js', { 'accept-encoding': 'gzip, deflate, br' });
  expect([plain.headers['content-encoding'], compressed.headers['content-encoding']]).toEqual([undefined, 'br']);
  expect(compressed.headers.vary).toBe('accept-encoding');
  expect(brotliDecompressSync(compressed.rawPayload).equals(plain.rawPayload)).toBe(true);
  expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
});

test('its settings name the document of this server', async () => {
  const { body } = await get('/docs/docs.js');
  expect(body).toContain("url: '/v1/openapi.json'");
  expect(body).not.toMatch(/https?:/);
});

test('a file that could not be read once is served at the next request', async () => {
  const app = Fastify();
  onTestFinished(() => app.close());
  let is_readable = false;
  mountDocsPage(app, async () => {
    if (!is_readable) throw new Error('too many open files');
    return { plain: Buffer.from('body {}'), compressed: Buffer.from('') };
  });
  expect((await app.inject('/docs/docs.css')).statusCode).toBe(500);
  is_readable = true;
  expect((await app.inject('/docs/docs.css')).body).toBe('body {}');
});

test('another address below it does not exist', async () => {
  expect((await get('/docs/other.js')).statusCode).toBe(404);
});
