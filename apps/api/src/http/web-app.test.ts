import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { SCREEN_ROOTS } from '@sendlap/contract/wire/screens.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createServer } from './server.ts';
import { mountWebApp } from './web-app.ts';

const PAGE = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';

/** In files that no visitor may read. */
const SECRET_TEXT = 'a secret of the machine';
const IMPORT_MAP = '<script type="importmap">{"imports":{}}</script>';
const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
const IMPORT_MAP_HASH = hashOf('{"imports":{}}');

let root: string;
let app: FastifyInstance;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sendlap-web-'));
  await writeFile(join(root, 'index.html'), `<!doctype html><title>Sendlap</title>${IMPORT_MAP}`);
  await writeFile(join(root, 'index.html.br'), brotliCompressSync(await readFile(join(root, 'index.html'))));
  await writeFile(join(root, 'boot.js'), '0');
  await mkdir(join(root, 'assets'));
  await writeFile(join(root, 'assets', 'app.js'), '0');
  await mkdir(join(root, '.git'));
  for (const file of ['.git/config', '.env', 'assets/.hidden.js', `../${basename(root)}-beside.txt`])
    await writeFile(join(root, file), SECRET_TEXT);
  app = await createServer({ logger: false, trust_proxy: undefined, public_url: 'http://localhost' });
  await mountWebApp(app, 'http://localhost:80', root);
});
afterAll(async () => {
  await app.close();
  await rm(root, { recursive: true });
  await rm(`${root}-beside.txt`);
});

async function ask(url: string, headers: { accept?: string } = {}) {
  const { statusCode, body } = await app.inject({ url, headers });
  return { status: statusCode, is_app: body.includes('<title>Sendlap'), is_envelope: body.includes('"not_found"') };
}

test.each([
  '/metrics',
  '/actuator/health',
  '/wp-login',
  '/.env',
  '/.git/config',
  '/.git/HEAD',
  '/assets',
  '/assets/',
  '/server-status',
  '/v1/nothing',
  '/oidc/nothing',
])('a program gets "not found" at %s, in a format that it reads', async (url) => {
  for (const accept of ['*/*', 'application/openmetrics-text', 'application/json'])
    expect(await ask(url, { accept })).toEqual({ status: 404, is_app: false, is_envelope: true });
  expect((await ask(url)).status).toBe(404);
});

test('no file beside those of the app is sent, nor one whose name begins with a dot', async () => {
  const beside = `${basename(root)}-beside.txt`;
  const ways_up = ['../', '..%2f', '%2e%2e/', '%2e%2e%2f', '..%5c', '%252e%252e%252f', '....//', './../'];
  const paths = ways_up.flatMap((way) => [`/${way}${beside}`, `/assets/${way}${way}${beside}`]);
  for (const url of [...paths, '/.git/config', '/%2egit/config', '/.env', '/assets/.hidden.js']) {
    const { statusCode, body } = await app.inject({ url });
    expect([url, body.includes(SECRET_TEXT)]).toEqual([url, false]);
    expect(statusCode).toBeGreaterThanOrEqual(400);
  }
});

test('a browser gets "not found" on the page of the app at an address that the app does not have', async () => {
  expect(await ask('/dashbord', { accept: PAGE })).toEqual({ status: 404, is_app: true, is_envelope: false });
});

test('every address of the app serves the app, to every caller', async () => {
  for (const path of SCREEN_ROOTS) {
    for (const headers of [{ accept: PAGE }, { accept: '*/*' }, {}])
      expect(await ask(`/${path}`, headers)).toMatchObject({ status: 200, is_app: true });
    if (path) expect(await ask(`/${path}/below?of=it`)).toMatchObject({ status: 200, is_app: true });
  }
});

test("the page may hold its import map, which is allowed by its hash, and the app's other files may hold no script", async () => {
  const policyOf = async (url: string, headers: Record<string, string> = {}) => {
    const reply = await app.inject({ url, headers: { accept: PAGE, ...headers } });
    return {
      status: reply.statusCode,
      policy: String(reply.headers['content-security-policy']),
      headers: reply.headers,
    };
  };
  const page = await policyOf('/dashboard');
  expect(page.policy).toContain(`script-src 'self' 'wasm-unsafe-eval' ${IMPORT_MAP_HASH};`);
  expect((await policyOf('/index.html', { 'accept-encoding': 'br' })).policy).toBe(page.policy);
  // A browser that still has the page replaces the headers that it stored with it.
  expect(await policyOf('/dashboard', { 'if-none-match': String(page.headers.etag) })).toMatchObject({
    status: 304,
    policy: page.policy,
  });
  expect((await policyOf('/dashbord')).policy).toBe(page.policy);
  for (const path of ['/boot.js', '/v1/nothing']) expect((await policyOf(path)).policy).not.toContain('sha256');
});

test('a page that a new build has replaced while the server runs is sent with the policy for its own import map', async () => {
  const page = join(root, 'index.html');
  const before = await readFile(page, 'utf8');
  onTestFinished(() => writeFile(page, before));
  const map = '{"imports":{"/a.js":"/b.js"}}';
  await writeFile(page, before.replace('{"imports":{}}', map));
  const reply = await app.inject({ url: '/dashboard', headers: { accept: PAGE } });
  expect(reply.body).toContain(map);
  expect(reply.headers['content-security-policy']).toContain(hashOf(map));
  expect(reply.headers['content-security-policy']).not.toContain(IMPORT_MAP_HASH);
});
