import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getMe, logout, refresh } from '@sendlap/contract/auth.ts';
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadSigningKeys } from '#api/database/signing-keys.ts';
import { buildTestApp, type TestApp } from '#test/app/app.ts';

const COOKIE = '__Host-sendlap_refresh';
const SAME_ORIGIN_HEADERS = { origin: 'http://localhost:8000', 'sec-fetch-site': 'same-origin' };
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Noon, so that the following hours are on the same UTC day. */
const START_MS = Date.UTC(2026, 10, 21, 12);

let now_ms = START_MS;
let test_app: TestApp;
beforeAll(async () => {
  test_app = await buildTestApp({ now: () => new Date(now_ms) });
});
afterAll(() => test_app.close());
afterEach(() => vi.restoreAllMocks());
beforeEach(() => {
  now_ms = START_MS;
});

async function post(
  path: string,
  refresh_token: string | undefined,
  headers: Record<string, string> = SAME_ORIGIN_HEADERS,
) {
  const cookie = refresh_token === undefined ? {} : { cookie: `${COOKIE}=${refresh_token}` };
  const reply = await test_app.app.inject({ method: 'POST', url: path, headers: { ...headers, ...cookie } });
  const set = reply.cookies.find(({ name }) => name === COOKIE);
  return {
    status: reply.statusCode,
    code: reply.json().code,
    data: reply.json().data,
    cookie: set,
    child: set?.value ?? '',
  };
}

const refreshWith = (refresh_token: string | undefined) => post(refresh.path, refresh_token);

async function readMe(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await test_app.app.inject({ url: getMe.path, headers })).statusCode;
}

describe('an access token is refused when it', () => {
  test('is missing, of another scheme, or no token', async () => {
    const inject = async (headers: Record<string, string>) => {
      const reply = await test_app.app.inject({ url: getMe.path, headers });
      return [reply.statusCode, reply.json().code];
    };
    const { token } = await test_app.signIn('Ada');
    for (const authorization of [
      '',
      token,
      `Basic ${token}`,
      'Bearer',
      'Bearer a.b.c',
      'Bearer ..',
      `Bearer ${token} x`,
    ]) {
      expect(await inject({ authorization })).toEqual([401, 'unauthenticated']);
    }
    expect(await inject({})).toEqual([401, 'unauthenticated']);
  });

  test('has a changed payload, or another signature, or none', async () => {
    const { token } = await test_app.signIn('Ada');
    const other = await test_app.signIn('Eve');
    const [header = '', payload = '', signature = ''] = token.split('.');
    const claims = Buffer.from(JSON.stringify({ ...decodeJwt(token), sub: other.user.id })).toString('base64url');
    expect(await readMe(`${header}.${claims}.${signature}`)).toBe(401);
    expect(await readMe(`${header}.${payload}.${other.token.split('.')[2]}`)).toBe(401);
    expect(await readMe(`${header}.${payload}.`)).toBe(401);
    expect(await readMe(token)).toBe(200);
  });

  test('is unsigned, or signed by another key under our key id, or by HMAC', async () => {
    const { token } = await test_app.signIn('Ada');
    const claims = decodeJwt(token);
    const header = decodeProtectedHeader(token);
    const { privateKey } = await generateKeyPair('EdDSA');
    const forged = await new SignJWT(claims).setProtectedHeader({ ...header, alg: 'EdDSA' }).sign(privateKey);
    const hmac = await new SignJWT(claims)
      .setProtectedHeader({ ...header, alg: 'HS256' })
      .sign(new TextEncoder().encode('a key of the attacker, long enough'));
    expect(await readMe(new UnsecuredJWT(claims).encode())).toBe(401);
    expect(await readMe(`${new UnsecuredJWT(claims).encode()}${token.split('.')[2]}`)).toBe(401);
    expect(await readMe(forged)).toBe(401);
    expect(await readMe(hmac)).toBe(401);
  });

  test('brings its own key, or says where to find one', async () => {
    const { token } = await test_app.signIn('Ada');
    const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });
    const jwk = await exportJWK(publicKey);
    let requests = 0;
    const keys = createServer((_request, response) => {
      requests += 1;
      response.end(JSON.stringify({ keys: [jwk] }));
    }).listen(0, '127.0.0.1');
    await once(keys, 'listening');
    const url = `http://127.0.0.1:${(keys.address() as AddressInfo).port}/keys`;
    for (const named of [{ jwk }, { jku: url }, { x5u: url }, { jwk, kid: url }, { kid: '../../etc/passwd' }]) {
      const header = { ...decodeProtectedHeader(token), alg: 'EdDSA', ...named };
      expect(await readMe(await new SignJWT(decodeJwt(token)).setProtectedHeader(header).sign(privateKey))).toBe(401);
    }
    expect(requests).toBe(0);
    keys.close();
  });

  test('is signed by our own key, but for something else', async () => {
    const { token } = await test_app.signIn('Ada');
    const { database, secrets } = test_app;
    const [key] = await loadSigningKeys({ database, secrets, purpose: 'access tokens', alg: 'EdDSA' });
    const header = { ...decodeProtectedHeader(token), alg: 'EdDSA' };
    const claims = decodeJwt(token);
    const signed = async (changes: object, typ = header.typ) =>
      readMe(
        await new SignJWT({ ...claims, ...changes }).setProtectedHeader({ ...header, typ }).sign(await importJWK(key)),
      );
    expect(await signed({})).toBe(200);
    expect(await signed({ aud: 'another-api' })).toBe(401);
    expect(await signed({ iss: 'another-issuer' })).toBe(401);
    expect(await signed({ typ: 'refresh' })).toBe(401);
    expect(await signed({}, 'JWT')).toBe(401);
    expect(await signed({ exp: undefined })).toBe(401);
    expect(await signed({ sid: undefined })).toBe(401);
    expect(await signed({ sub: undefined })).toBe(401);
    expect(await signed({ gen: undefined })).toBe(401);
  });

  test('is older than 10 minutes, also when it was accepted before', async () => {
    const { token } = await test_app.signIn('Ada');
    now_ms += 10 * MINUTE_MS - 1_000;
    expect(await readMe(token)).toBe(200);
    now_ms += 1_000;
    expect(await readMe(token)).toBe(401);
  });
});

describe('a refresh is refused', () => {
  test('from other sites and without any sign of where it comes from, and changes nothing', async () => {
    const { refresh_token } = await test_app.signIn('Ada');
    const foreign_headers: Record<string, string>[] = [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost:8000.evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://localhost:8000', 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign_headers) {
      const reply = await post(refresh.path, refresh_token, headers);
      expect([reply.status, reply.code, reply.cookie]).toEqual([400, 'origin_not_allowed', undefined]);
    }
    expect((await refreshWith(refresh_token)).status).toBe(200);
  });

  test('without a cookie and with an unknown one, and never clears it', async () => {
    for (const token of [undefined, 'x', 'A'.repeat(43)]) {
      const reply = await refreshWith(token);
      expect([reply.status, reply.code, reply.cookie]).toEqual([401, 'refresh_invalid', undefined]);
    }
  });

  test('after 30 days without use, and 90 days after the sign-in in any case', async () => {
    const idle = await test_app.signIn('Idle');
    const busy = await test_app.signIn('Busy');
    let token = busy.refresh_token;
    for (let day = 29; day < 90; day += 29) {
      now_ms = START_MS + day * DAY_MS;
      const reply = await refreshWith(token);
      expect(reply.status).toBe(200);
      token = reply.child;
    }
    expect((await refreshWith(idle.refresh_token)).status).toBe(401);
    now_ms = START_MS + 90 * DAY_MS - 5_000;
    expect((await refreshWith(token)).data.expires_in).toBe(5);
    now_ms = START_MS + 90 * DAY_MS;
    expect((await refreshWith(token)).status).toBe(401);
  });
});

describe('a rotated refresh token', () => {
  test('gives the same child to all who ask within 60 seconds', async () => {
    const { refresh_token } = await test_app.signIn('Ada');
    const together = await Promise.all(Array.from({ length: 20 }, () => refreshWith(refresh_token)));
    now_ms += MINUTE_MS;
    const late = await refreshWith(refresh_token);
    expect(new Set([...together, late].map(({ child }) => child)).size).toBe(1);
    expect([...together, late].every(({ status }) => status === 200)).toBe(true);
    expect(late.child).not.toBe(refresh_token);
    expect((await refreshWith(late.child)).status).toBe(200);
  });

  test('returns the newest token of its family within 60 seconds, even if its child was used', async () => {
    const { refresh_token } = await test_app.signIn('Ada');
    const first = await refreshWith(refresh_token);
    const second = await refreshWith(first.child);
    expect((await refreshWith(refresh_token)).child).toBe(second.child);
  });

  test('gives the same child again later when that never arrived, three times a day', async () => {
    const { refresh_token } = await test_app.signIn('Ada');
    const lost = await refreshWith(refresh_token);
    const again = [];
    for (let count = 1; count <= 3; count += 1) {
      now_ms += 60 * MINUTE_MS;
      again.push((await refreshWith(refresh_token)).child);
    }
    expect(again).toEqual([lost.child, lost.child, lost.child]);
    now_ms += 60 * MINUTE_MS;
    const fourth = await refreshWith(refresh_token);
    expect([fourth.status, fourth.code, fourth.cookie]).toEqual([429, 'too_many_requests', undefined]);
    now_ms += DAY_MS;
    expect((await refreshWith(refresh_token)).child).toBe(lost.child);
    expect((await refreshWith(lost.child)).status).toBe(200);
  });

  test('ends its family, and no other, when it is reused after 60 seconds although its child was used', async () => {
    const ada = await test_app.signIn('Ada');
    const bystander = await test_app.signIn('Bea');
    const child = await refreshWith(ada.refresh_token);
    now_ms += 2 * MINUTE_MS;
    const grandchild = await refreshWith(child.child);
    const replay = await refreshWith(ada.refresh_token);
    expect([replay.status, replay.code, replay.cookie]).toEqual([401, 'refresh_invalid', undefined]);
    expect((await refreshWith(grandchild.child)).status).toBe(401);
    expect(await readMe(grandchild.data.access_token)).toBe(401);
    expect(await readMe(ada.token)).toBe(401);
    expect(await readMe(bystander.token)).toBe(200);
    expect((await refreshWith(bystander.refresh_token)).status).toBe(200);
    const { end_reason } = await test_app.database
      .selectFrom('sessions')
      .select('end_reason')
      .where('id', '=', ada.session_id)
      .executeTakeFirstOrThrow();
    expect(end_reason).toBe('refresh_reused');
  });
});

describe('sign-out', () => {
  test('ends this session at once, clears the cookie, and may be repeated', async () => {
    const ada = await test_app.signIn('Ada');
    const bystander = await test_app.signIn('Bea');
    const child = await refreshWith(ada.refresh_token);
    const reply = await post(logout.path, child.child);
    expect([reply.status, reply.data, reply.child]).toEqual([200, { logout_url: null }, '']);
    expect(await readMe(ada.token)).toBe(401);
    expect((await refreshWith(child.child)).status).toBe(401);
    expect((await post(logout.path, child.child)).status).toBe(200);
    expect((await post(logout.path, undefined)).status).toBe(200);
    expect(await readMe(bystander.token)).toBe(200);
  });

  test('is refused from other sites', async () => {
    const ada = await test_app.signIn('Ada');
    const reply = await post(logout.path, ada.refresh_token, { origin: 'https://evil.example' });
    expect([reply.status, reply.code, reply.cookie]).toEqual([400, 'origin_not_allowed', undefined]);
    expect(await readMe(ada.token)).toBe(200);
  });

  test('on one node reaches the others within 5 seconds', async () => {
    const ada = await test_app.signIn('Ada');
    const bystander = await test_app.signIn('Bea');
    const other = await buildTestApp({ database_url: test_app.database_url, now: () => new Date(now_ms) });
    const askOther = async (headers: { authorization: string }) =>
      (await other.app.inject({ url: getMe.path, headers })).statusCode;
    expect(await askOther(ada.headers)).toBe(200);
    await post(logout.path, ada.refresh_token);
    // Advances the monotonic clock: on a busy machine real seconds are no measure.
    const read = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => read() + 5_000);
    // Twice: the second reply comes from memory.
    for (const _ of [1, 2]) expect(await askOther(ada.headers)).toBe(401);
    expect(await askOther(bystander.headers)).toBe(200);
    await other.close();
  });
});
