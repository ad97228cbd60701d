import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { authorize } from '@sendlap/contract/auth.ts';
import { EVENTS_PATH } from '@sendlap/contract/events.ts';
import { pairKiosk } from '@sendlap/contract/kiosks.ts';
import { EXPORT_ACTIVITIES_PATH, EXPORT_PATH } from '@sendlap/contract/users.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '#test/app/app.ts';
import { mountProbe, newResetLink, newSignUpLink } from '#test/app/pages-of-links.ts';
import { AppError } from '../platform/errors.ts';
import { createServer } from './server.ts';
import { mountWebApp } from './web-app.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';
const TILE_TYPE = 'application/vnd.mapbox-vector-tile';
const A_WEEK = 'public, max-age=604800';
const FOR_EVER = 'public, max-age=31536000, immutable';
const IMPORT_MAP = '{"imports":{}}';
const IMPORT_MAP_HASH = `'sha256-${createHash('sha256').update(IMPORT_MAP).digest('base64')}'`;

const scripted = (hash: string) =>
  `default-src 'self';script-src 'self' 'wasm-unsafe-eval'${hash};style-src 'self';img-src 'self' data: blob:;worker-src 'self';object-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'none';require-trusted-types-for 'script'`;
const APP = scripted('');
const SHELL = scripted(` ${IMPORT_MAP_HASH}`);
const pageFor = (form_action: string) =>
  `default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action ${form_action}; base-uri 'none'; frame-ancestors 'none'`;
const PAGE = pageFor("'self'");

const MAIL = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@sendlap.example' };

/** Of every reply of the app but those of `DEVIATIONS`; plain-reply-headers.test.ts has those of its other servers. */
const EVERYWHERE = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': 'camera=(self), geolocation=(self), microphone=(), payment=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
};
const DEVIATIONS = {
  /** Pages whose address has a secret send no path on to the app's own pages either. */
  secret_link: { 'referrer-policy': 'strict-origin' },
  /** The guide of `--phone`, at plain http, asks from another origin; the reply is empty. */
  trust_probe: { 'cross-origin-resource-policy': 'cross-origin' },
};
/** They would let other sites read replies, or say what the server is made of. */
const NOWHERE = ['access-control-allow-origin', 'access-control-allow-credentials', 'server', 'x-powered-by'];

/** No browser in use reads them any longer. */
const OBSOLETE = [
  'x-dns-prefetch-control',
  'x-download-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
];

interface Asked {
  method?: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'TRACE';
  headers?: Record<string, string>;
  payload?: string;
}
type Row = [what: string, status: number, type: string | undefined, cache: string | undefined, policy: string];
type Headers = Record<string, unknown>;

describe.each(['https://sendlap.example', 'http://localhost:8000'])('at %s', (origin) => {
  const { host } = new URL(origin);
  const FORM = pageFor(`'self' ${origin === 'http://localhost:8000' ? `${origin} http://localhost:5173` : origin}`);
  let api: TestApp;
  let ada: SignedIn;
  let site: FastifyInstance;
  let root: string;
  /** Path of a sign-in page, and the cookies that open it. */
  let sign_in: { path: string; cookie: string; authorization_path: string };

  beforeAll(async () => {
    api = await buildTestApp({ listen: true, env: { PUBLIC_URL: origin, ...MAIL } });
    ada = await api.signIn('Ada');
    root = await mkdtemp(join(tmpdir(), 'sendlap-headers-'));
    await mkdir(join(root, 'assets'));
    await writeFile(join(root, 'index.html'), `<!doctype html><script type="importmap">${IMPORT_MAP}</script>`);
    for (const name of ['assets/app-1a2b.js', 'sw.js', 'manifest.webmanifest', 'favicon.svg'])
      await writeFile(join(root, name), '0');
    site = await createServer({ logger: false, trust_proxy: undefined, public_url: origin });
    site.get('/fails', () => Promise.reject(new Error('a fault')));
    site.get('/busy', () => Promise.reject(new AppError('unavailable', 'Busy', { retry_after_s: 2 })));
    mountProbe(site);
    await mountWebApp(site, origin, root);
    sign_in = await beginSignIn();
  });
  afterAll(async () => {
    await api.close();
    await site.close();
    await rm(root, { recursive: true });
  });

  async function beginSignIn() {
    const begun = await ask(`${authorize.path}?redirect_uri=${encodeURIComponent(`${origin}/auth/callback`)}`);
    const { pathname, search } = new URL(JSON.parse(begun.body).data.authorization_url);
    const authorization_path = pathname + search;
    const { headers, cookies } = await api.app.inject({ url: authorization_path, headers: { host } });
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    return { path: String(headers.location), cookie, authorization_path };
  }

  async function ask(url: string, { method = 'GET', headers = {}, payload }: Asked = {}, app = api.app) {
    const sent = { host, ...headers };
    const reply = await app.inject({ method, url, headers: sent, ...(payload === undefined ? {} : { payload }) });
    return { status: reply.statusCode, headers: reply.headers as Headers, body: reply.body };
  }

  function expectHeaders({ status, headers }: { status: number; headers: Headers }, row: Row, differing = {}): void {
    const [, ...shown] = row;
    expect([
      status,
      headers['content-type'],
      headers['cache-control'],
      String(headers['content-security-policy']),
    ]).toEqual(shown);
    expect(headers).toMatchObject({ ...EVERYWHERE, ...differing });
    const year = origin.startsWith('https:') ? 'max-age=31536000; includeSubDomains' : undefined;
    expect(headers['strict-transport-security']).toBe(year);
    for (const name of [...NOWHERE, ...OBSOLETE]) expect(headers[name]).toBeUndefined();
  }

  const signedIn = () => ({ headers: { ...ada.headers } });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const json = { 'content-type': 'application/json' };
  const post = (headers: Record<string, string>, payload: string) => (): Asked => ({
    method: 'POST',
    headers,
    payload,
  });

  test.each<[...Row, url: string, asked?: () => Asked]>([
    ['a reply', 200, JSON_TYPE, 'no-store', APP, '/v1/auth/me', signedIn],
    ['a public reply', 200, JSON_TYPE, 'public, max-age=300', APP, '/v1/sport-centers'],
    ['the API document', 200, JSON_TYPE, 'no-cache', APP, '/v1/openapi.json'],
    ['the page of the API', 200, 'text/html; charset=utf-8', 'no-cache', APP, '/docs'],
    ['health', 200, JSON_TYPE, 'no-store', APP, '/healthz'],
    ['readiness', 200, JSON_TYPE, 'no-store', APP, '/readyz'],
    ['a refused query', 400, JSON_TYPE, 'no-store', APP, '/v1/activities?limit=0', signedIn],
    ['a caller without a session', 401, JSON_TYPE, 'no-store', APP, '/v1/auth/me'],
    ['an address that cannot be read', 400, JSON_TYPE, 'no-store', APP, '/%zz'],
    ['an unknown call', 404, JSON_TYPE, 'no-store', APP, '/v1/nothing'],
    ['an unknown file', 404, JSON_TYPE, 'no-store', APP, '/assets/nothing.js'],
    ['a body of another type', 415, JSON_TYPE, 'no-store', APP, '/v1/auth/login', post(form, 'a=1')],
    ['a body that is too large', 413, JSON_TYPE, 'no-store', APP, '/v1/auth/login', post(json, 'x'.repeat(65_537))],
    ['HEAD', 200, JSON_TYPE, 'no-store', APP, '/v1/auth/me', () => ({ ...signedIn(), method: 'HEAD' })],
    [
      'OPTIONS, as before a call from another site',
      404,
      JSON_TYPE,
      'no-store',
      APP,
      '/v1/auth/me',
      () => ({
        method: 'OPTIONS',
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
      }),
    ],
    ['TRACE', 404, JSON_TYPE, 'no-store', APP, '/v1/auth/me', () => ({ method: 'TRACE' })],
    ['an export', 200, JSON_TYPE, 'no-store', APP, EXPORT_PATH, signedIn],
    [
      'an export as a table',
      200,
      'text/csv; charset=utf-8; header=present',
      'no-store',
      APP,
      EXPORT_ACTIVITIES_PATH,
      signedIn,
    ],
    ['what the map has', 200, JSON_TYPE, 'public, max-age=3600', APP, '/v1/tiles'],
    ['a tile', 200, TILE_TYPE, A_WEEK, APP, '/v1/tiles/0/0/0.mvt'],
    ['a refused tile', 400, JSON_TYPE, 'no-store', APP, '/v1/tiles/0/0/9.mvt'],
    [
      'a wrong address',
      421,
      HTML_TYPE,
      'no-store',
      PAGE,
      '/login',
      () => ({ headers: { host: 'evil.example', accept: 'text/html' } }),
    ],
    ['the style of pages', 200, 'text/css; charset=utf-8', 'public, max-age=3600', APP, '/pages.css'],
    ["the provider's discovery", 200, JSON_TYPE, 'no-store', APP, '/oidc/.well-known/openid-configuration'],
    ["the provider's keys", 200, 'application/jwk-set+json; charset=utf-8', 'no-store', APP, '/oidc/jwks'],
    ['a refused code', 400, JSON_TYPE, 'no-store', APP, '/oidc/token', post(form, 'grant_type=x')],
    ['a refused sign-in', 400, HTML_TYPE, 'no-store', PAGE, '/oidc/auth?client_id=x'],
    ['an expired sign-in', 400, HTML_TYPE, 'no-store', FORM, '/oidc/interaction/nothing'],
    ['the page for a forgotten password', 200, HTML_TYPE, 'no-store', PAGE, '/oidc/forgot'],
    ['the page to sign out', 200, HTML_TYPE, 'no-store', PAGE, '/oidc/sign-out'],
  ])('%s', async (what, status, type, cache, policy, url, asked = () => ({})) => {
    expectHeaders(await ask(url, asked()), [what, status, type, cache, policy]);
  });

  test.each<[...Row, path: string, of_page: boolean]>([
    ['a page to sign in', 200, HTML_TYPE, 'no-store', FORM, '', true],
    ['a page to sign up', 200, HTML_TYPE, 'no-store', FORM, '/sign-up', true],
    ['a redirect', 303, HTML_TYPE, 'no-store', APP, '', false],
  ])('%s', async (what, status, type, cache, policy, path, of_page) => {
    const { cookie, authorization_path } = sign_in;
    const url = of_page ? sign_in.path + path : authorization_path;
    expectHeaders(await ask(url, of_page ? { headers: { cookie } } : {}), [what, status, type, cache, policy]);
  });

  test.each<[...Row, url: string, asked?: Asked]>([
    ['the app', 200, HTML_TYPE, 'no-store', SHELL, '/'],
    ['a screen', 200, HTML_TYPE, 'no-store', SHELL, '/login', { headers: { accept: 'text/html' } }],
    ['a screen to HEAD', 200, HTML_TYPE, 'no-store', SHELL, '/login', { method: 'HEAD' }],
    ['an unknown page', 404, HTML_TYPE, 'no-store', SHELL, '/dashbord', { headers: { accept: 'text/html' } }],
    ['a hashed file', 200, 'application/javascript; charset=utf-8', FOR_EVER, APP, '/assets/app-1a2b.js'],
    ['the worker', 200, 'application/javascript; charset=utf-8', 'no-cache', APP, '/sw.js'],
    ['the manifest', 200, 'application/manifest+json', 'no-cache', APP, '/manifest.webmanifest'],
    ['a picture', 200, 'image/svg+xml', 'no-cache', APP, '/favicon.svg'],
    ['a post to a screen', 404, JSON_TYPE, 'no-store', APP, '/login', { method: 'POST' }],
    ['a fault', 500, JSON_TYPE, 'no-store', APP, '/fails'],
    ['a busy server', 503, JSON_TYPE, 'no-store', APP, '/busy'],
  ])('%s', async (what, status, type, cache, policy, url, asked = {}) => {
    expectHeaders(await ask(url, asked, site), [what, status, type, cache, policy]);
  });

  test.each([
    ['centers', '/v1/sport-centers'],
    ['a tile', '/v1/tiles/0/0/0.mvt'],
  ])('%s that the browser still has', async (_what, url) => {
    const { headers } = await ask(url);
    const again = await ask(url, { headers: { 'if-none-match': String(headers.etag) } });
    expectHeaders(again, ['', 304, undefined, String(headers['cache-control']), APP]);
  });

  test.each([
    [EXPORT_PATH, 'sendlap-export.json'],
    [EXPORT_ACTIVITIES_PATH, 'sendlap-activities.csv'],
  ])('%s is saved as %s, and not shown', async (url, name) => {
    // A third export of a day would be refused.
    const bea = await api.signIn('Bea');
    const { headers } = await ask(url, { headers: bea.headers });
    expect(headers['content-disposition']).toBe(`attachment; filename="${name}"`);
  });

  test.each<[what: string, status: number, policy: string, newLink: () => Promise<string>]>([
    ['a link for a new password', 200, PAGE, () => newResetLink(api.database, origin)],
    ['a link for a new password that does not work', 400, PAGE, async () => '/oidc/reset'],
    ['a link of a sign-up', 200, FORM, () => newSignUpLink(api.database)],
    ['a link of a sign-up that does not work', 400, FORM, async () => '/oidc/interaction/x/confirm'],
  ])('%s', async (what, status, policy, newLink) => {
    const row: Row = [what, status, HTML_TYPE, 'no-store', policy];
    expectHeaders(await ask(await newLink()), row, DEVIATIONS.secret_link);
  });

  test('a form with a wrong field', async () => {
    const asked = post({ ...form, origin, cookie: sign_in.cookie }, 'email=x');
    expectHeaders(await ask(`${sign_in.path}/sign-up`, asked()), ['', 422, HTML_TYPE, 'no-store', FORM]);
  });

  test('a call too many', async () => {
    const pair = () => ask(pairKiosk.path, { method: 'POST' });
    for (let call = 0; call < pairKiosk.limit.max; call += 1) await pair();
    expectHeaders(await pair(), ['', 429, JSON_TYPE, 'no-store', APP]);
  });

  test('the probe whether a phone trusts the certificate', async () => {
    expectHeaders(await ask('/phone-trust', {}, site), ['', 204, undefined, undefined, APP], DEVIATIONS.trust_probe);
  });

  test('the event stream', async () => {
    const { port } = api.app.server.address() as AddressInfo;
    const stop = new AbortController();
    const stream = await fetch(`http://localhost:${port}${EVENTS_PATH}`, { headers: ada.headers, signal: stop.signal });
    const row: Row = ['', 200, 'text/event-stream; charset=utf-8', 'no-store', APP];
    expectHeaders({ status: stream.status, headers: Object.fromEntries(stream.headers) }, row);
    stop.abort();
  });

  test.each([
    ['a text other than HTTP', 400, 'hello\r\n\r\n'],
    ['headers that are too large', 431, `GET / HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['an expectation', 417, 'GET / HTTP/1.1\r\nhost: x\r\nexpect: much\r\n\r\n'],
  ])('%s', async (what, status, sent) => {
    const socket = connect((api.app.server.address() as AddressInfo).port, 'localhost');
    socket.write(sent);
    const [head = ''] = (await text(socket)).split('\r\n\r\n');
    const [line = '', ...fields] = head.split('\r\n');
    const headers = Object.fromEntries(fields.map((field) => field.split(/: (.*)/).slice(0, 2)));
    expectHeaders({ status: Number(line.split(' ')[1]), headers }, [what, status, JSON_TYPE, 'no-store', APP]);
  });
});
