import { authorize, completeSignIn, getMe, login, logout, refresh } from '@sendlap/contract/auth.ts';
import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { CALLBACK } from '#test/app/sign-in.ts';

const OWN = { origin: 'http://localhost:8000', 'sec-fetch-site': 'same-origin' };
const COOKIES = ['__Host-sendlap_refresh', '__Host-sendlap_sign_in', '__Host-sendlap_signed_out'];
const NASTY = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\u202e',
  'é'.repeat(500),
  '🧗'.repeat(600),
  'x'.repeat(2048),
  'x'.repeat(5000),
  '../../etc/passwd',
  '%00',
  '%',
  '{}',
  "' or 1=1 --",
  '$where',
  'null',
  '-1',
  'A'.repeat(43),
];

let test_app: TestApp;
beforeAll(async () => {
  test_app = await buildTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => test_app.close());

let requests = 0;
/** Sends from another address each time, so that no rate limit interferes with the case under test. */
function send(method: 'GET' | 'POST', url: string, options: { headers?: object; payload?: string | object } = {}) {
  requests += 1;
  const address = `10.${(requests >> 16) & 255}.${(requests >> 8) & 255}.${requests & 255}`;
  const headers = { ...OWN, 'x-forwarded-for': address, ...options.headers };
  return test_app.app.inject({ method, url, ...options, headers });
}

/**
 * Asserts a refusal that a client understands: 4xx, never 403 (which clears tokens), in the envelope, without internal
 * texts.
 */
function expectRefusal(reply: LightMyRequestResponse): void {
  expect(reply.statusCode).toBeGreaterThanOrEqual(400);
  expect(reply.statusCode).toBeLessThan(500);
  expect(reply.statusCode).not.toBe(403);
  expect(reply.json()).toMatchObject({ success: false, code: expect.stringMatching(/^[a-z_]+$/) });
  expect(reply.body).not.toMatch(/select |insert |node_modules|at \w+ \(/);
}

const posts = [completeSignIn, login] as const;
const good: Record<string, Record<string, string>> = {
  [completeSignIn.path]: { code: 'c', state: 's', code_verifier: 'v', iss: 'i' },
  [login.path]: { email: 'ada@example.org', password: 'not the right one' },
};

describe('bad bodies are refused, never by 403 or 5xx:', () => {
  test.each(posts)('$path', { timeout: 60_000 }, async ({ path }) => {
    const body = good[path] ?? {};
    const bodies: unknown[] = [null, [], [body], 1, 'x', true, {}, { ...body, extra: 1 }, { data: body }];
    for (const field of Object.keys(body)) {
      const { [field]: _left_out, ...rest } = body;
      if (field !== 'code_verifier' && field !== 'iss') bodies.push(rest);
      for (const value of [null, 1, true, [], {}, ['x'], { $ne: '' }, ...NASTY])
        bodies.push({ ...body, [field]: value });
    }
    for (const each of bodies) {
      const payload = JSON.stringify(each);
      expectRefusal(await send('POST', path, { payload, headers: { 'content-type': 'application/json' } }));
    }
  });

  test.each(posts)('$path, as text', async ({ path }) => {
    const json = 'application/json';
    const texts: [string, string][] = [
      [json, ''],
      [json, '{'],
      [json, '{"email":"a","email":"b"}'],
      [json, '{"__proto__":{"x":1}}'],
      [json, '{"email":"\\ud800","password":"x","state":"s","code":"c"}'],
      [json, `${'['.repeat(30)}${']'.repeat(30)}`],
      [json, `{"code":"${'x'.repeat(70_000)}"}`],
      ['text/plain', JSON.stringify(good[path])],
      ['application/x-www-form-urlencoded', 'email=a&password=b'],
      ['multipart/form-data; boundary=x', '--x--'],
      ['', JSON.stringify(good[path])],
      ['application/json; charset=utf-16', JSON.stringify(good[path])],
    ];
    for (const [type, payload] of texts) {
      expectRefusal(await send('POST', path, { payload, headers: { 'content-type': type } }));
    }
    expectRefusal(await send('POST', path));
  });

  test.each(posts)('$path, whatever JSON comes', { timeout: 60_000 }, async ({ path }) => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const headers = { 'content-type': 'application/json' };
        expectRefusal(await send('POST', path, { payload: JSON.stringify(value), headers }));
      }),
      { numRuns: 100 },
    );
  });
});

describe('bad queries are refused, never by 403 or 5xx:', () => {
  test('authorize', async () => {
    const redirect_uri = encodeURIComponent(CALLBACK);
    const queries = [
      '',
      '?',
      '?redirect_uri',
      '?redirect_uri=',
      `?redirect_uri=${redirect_uri}&redirect_uri=${redirect_uri}`,
    ];
    for (const [name, values] of Object.entries({
      redirect_uri: NASTY,
      use_pkce: [...NASTY, 'TRUE', '1', 'plain'],
      signup: [...NASTY, 'yes'],
      ui_locales: [...NASTY, 'fr', 'en es', 'EN'],
      extra: ['1'],
    })) {
      for (const value of values) {
        const encoded = encodeURIComponent(value);
        queries.push(
          name === 'redirect_uri' ? `?redirect_uri=${encoded}` : `?redirect_uri=${redirect_uri}&${name}=${encoded}`,
        );
      }
    }
    for (const query of queries) expectRefusal(await send('GET', authorize.path + query));
  });

  test.each([getMe, refresh, logout, completeSignIn, login])('$path takes none', async ({ method, path }) => {
    const { headers } = await test_app.signIn('Ada');
    const payload = good[path] ? { payload: good[path] } : {};
    for (const query of ['?x=1', '?redirect_uri=x', '?%00=1']) {
      expectRefusal(await send(method, path + query, { headers, ...payload }));
    }
  });
});

describe('bad cookies and headers are refused or make no difference, never by 403 or 5xx:', () => {
  const calls = [
    ['GET', `${authorize.path}?redirect_uri=${encodeURIComponent(CALLBACK)}`, [200]],
    ['POST', completeSignIn.path, [400]],
    ['POST', login.path, [401]],
    ['GET', getMe.path, [401]],
    ['POST', refresh.path, [401]],
    ['POST', logout.path, [200]],
  ] as const;

  // Over 50 passwords to hash.
  test.each(calls)('%s %s', { timeout: 60_000 }, async (method, url, expected) => {
    const path = url.split('?')[0] ?? '';
    const payload = good[path] ? { payload: good[path] } : {};
    for (const value of NASTY) {
      const cookie = COOKIES.map((name) => `${name}=${encodeURIComponent(value)}`).join('; ');
      const raw = COOKIES.map((name) => `${name}=${value.replaceAll(/[^\x20-\x7e]/g, '?')}`).join('; ');
      for (const headers of [{ cookie }, { cookie: raw }, { cookie: `${raw}; ${cookie}` }]) {
        const email = `person${requests}@example.org`;
        const body = path === login.path ? { payload: { ...good[path], email } } : payload;
        expect(expected).toContain((await send(method, url, { headers, ...body })).statusCode);
      }
    }
  });

  test('a bearer token that is nonsense', async () => {
    for (const value of NASTY) {
      const authorization = `Bearer ${value.replaceAll(/[^\x20-\x7e]/g, '?')}`;
      expect((await send('GET', getMe.path, { headers: { authorization } })).statusCode).toBe(401);
    }
  });

  test('wrong methods', async () => {
    expectRefusal(await send('POST', authorize.path, { payload: {} }));
    expectRefusal(await send('POST', getMe.path, { payload: {} }));
    for (const path of [completeSignIn.path, login.path, refresh.path, logout.path])
      expectRefusal(await send('GET', path));
  });
});
