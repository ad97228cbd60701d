import { randomUUID } from 'node:crypto';
import { getMe, logout, refresh } from '@sendlap/contract/auth.ts';
import { exportJWK, generateKeyPair, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSessions } from '#api/sessions/sessions.ts';
import { buildTestApp, type TestApp } from '#test/app/app.ts';
import { type BrowserKey, createBrowserKey } from '#test/browser-key.ts';

const COOKIE = '__Host-sendlap_refresh';
const ORIGIN = 'http://localhost:8000';
const MINUTE_MS = 60_000;
/** Longer than a refresh token is returned again. */
const NEXT_TOKEN_MS = 11 * MINUTE_MS;
const START_MS = Date.UTC(2026, 10, 21, 12);

let now_ms = START_MS;
let test_app: TestApp;
beforeAll(async () => {
  test_app = await buildTestApp({ now: () => new Date(now_ms) });
});
afterAll(() => test_app.close());
beforeEach(() => {
  now_ms = START_MS;
});

const claimsOf = (path: string) => ({ htm: 'POST', htu: ORIGIN + path, iat: Math.floor(now_ms / 1000) });

interface Posted {
  cookies?: string[];
  proof?: string | undefined;
}

async function post(path: string, { cookies = [], proof }: Posted) {
  const reply = await test_app.app.inject({
    method: 'POST',
    url: path,
    headers: {
      origin: ORIGIN,
      'sec-fetch-site': 'same-origin',
      cookie: cookies.join('; '),
      ...(proof === undefined ? {} : { dpop: proof }),
    },
  });
  const body = reply.json();
  return {
    status: reply.statusCode,
    code: body.code,
    data: body.data,
    headers: reply.headers,
    token: reply.cookies.find(({ name }) => name === COOKIE)?.value ?? '',
  };
}

/** Signs in a browser with this key; returns its tokens. */
async function signIn(key?: BrowserKey) {
  const { user } = await test_app.signIn('Ada');
  const sessions = createSessions({ ...test_app, now: () => now_ms });
  const proof = key && { thumbprint: key.thumbprint, id_hash: Buffer.alloc(32) };
  return { token: (await sessions.create(user.id, 'Test', { proof })).refresh_token };
}

async function refreshWith(token: string | undefined, key?: BrowserKey, cookies: string[] = []) {
  const proof = await key?.prove(claimsOf(refresh.path));
  return post(refresh.path, { cookies: token === undefined ? cookies : [`${COOKIE}=${token}`, ...cookies], proof });
}

async function readMe(access_token: string): Promise<number> {
  const headers = { authorization: `Bearer ${access_token}` };
  return (await test_app.app.inject({ url: getMe.path, headers })).statusCode;
}

/** Returns that many tokens of one family, oldest first. */
async function rotate(token: string, key: BrowserKey, times: number): Promise<string[]> {
  const tokens = [token];
  for (let count = 0; count < times; count += 1) {
    now_ms += NEXT_TOKEN_MS;
    tokens.push((await refreshWith(tokens.at(-1), key)).token);
  }
  return tokens;
}

describe('an invalid proof of this request is refused, and changes nothing:', () => {
  const refuse = async (proofOf: (key: BrowserKey) => Promise<string> | string) => {
    const key = await createBrowserKey();
    const { token } = await signIn(key);
    const proof = await proofOf(key);
    const { status, code } = await post(refresh.path, { cookies: [`${COOKIE}=${token}`], proof });
    expect((await refreshWith(token, key)).status).toBe(200);
    return [status, code];
  };

  test.each([
    ['text', () => 'no proof'],
    ['two proofs in one', async (key: BrowserKey) => `${await key.prove(claimsOf(refresh.path))}, x`],
    ['too much', () => 'x'.repeat(3_000)],
    ['one of another call', (key: BrowserKey) => key.prove(claimsOf(logout.path))],
    ['one of another method', (key: BrowserKey) => key.prove({ ...claimsOf(refresh.path), htm: 'GET' })],
    [
      'one of another site',
      (key: BrowserKey) => key.prove({ ...claimsOf(refresh.path), htu: `https://sendlap.example${refresh.path}` }),
    ],
    ['one without a time', ({ prove }: BrowserKey) => prove({ htm: 'POST', htu: ORIGIN + refresh.path })],
    ['one with a long id', (key: BrowserKey) => key.prove({ ...claimsOf(refresh.path), jti: 'x'.repeat(129) })],
    ['another kind of token', (key: BrowserKey) => key.prove(claimsOf(refresh.path), { typ: 'JWT' })],
    ['one of another algorithm', async () => (await createBrowserKey('RS256')).prove(claimsOf(refresh.path))],
  ])('%s', async (_name, proofOf) => {
    expect(await refuse(proofOf)).toEqual([400, 'bad_request']);
  });

  test('one that is unsigned, signed by another key than it names, or names a private key', async () => {
    const claims = { ...claimsOf(refresh.path), jti: randomUUID() };
    expect(await refuse(() => new UnsecuredJWT(claims).encode())).toEqual([400, 'bad_request']);
    const { publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(publicKey);
    expect(await refuse((key) => key.prove(claimsOf(refresh.path), { jwk }))).toEqual([400, 'bad_request']);
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const private_jwk = await exportJWK(privateKey);
    expect(await refuse((key) => key.prove(claimsOf(refresh.path), { jwk: private_jwk }))).toEqual([
      400,
      'bad_request',
    ]);
  });

  test('one of another time, with the time of the server, so that a phone with a wrong clock can repeat it', async () => {
    const key = await createBrowserKey();
    const { token } = await signIn(key);
    for (const off_s of [-120, 120]) {
      const proof = await key.prove({ ...claimsOf(refresh.path), iat: now_ms / 1000 + off_s });
      const { status, code, headers } = await post(refresh.path, { cookies: [`${COOKIE}=${token}`], proof });
      expect([status, code]).toEqual([425, 'proof_expired']);
      expect(headers['x-server-time']).toBeDefined();
    }
    expect((await refreshWith(token, key)).status).toBe(200);
  });

  test('one that was used before; its session continues', async () => {
    const key = await createBrowserKey();
    const { token } = await signIn(key);
    const proof = await key.prove(claimsOf(refresh.path));
    const send = () => post(refresh.path, { cookies: [`${COOKIE}=${token}`], proof });
    expect((await send()).status).toBe(200);
    expect((await send()).code).toBe('proof_expired');
    now_ms += MINUTE_MS;
    expect((await send()).code).toBe('proof_expired');
    expect((await refreshWith(token, key)).status).toBe(200);
  });
});

describe('a session that was begun with a key ends at once, access tokens too, when', () => {
  const expectTheft = async (steal: (tokens: string[]) => Promise<{ status: number; code: string }>) => {
    const key = await createBrowserKey();
    const { token } = await signIn(key);
    const tokens = await rotate(token, key, 5);
    const { access_token } = (await refreshWith(tokens.at(-1), key)).data;
    const { status, code } = await steal(tokens);
    expect([status, code]).toEqual([401, 'refresh_invalid']);
    expect(await readMe(access_token)).toBe(401);
    expect((await refreshWith(tokens.at(-1), key)).code).toBe('refresh_invalid');
  };

  test('its newest token comes without a proof', () => expectTheft((tokens) => refreshWith(tokens.at(-1))));
  test('its newest token comes with the proof of another key', () =>
    expectTheft(async (tokens) => refreshWith(tokens.at(-1), await createBrowserKey())));
  test('a token five generations old comes without a proof, a moment after the newest was made', () =>
    expectTheft(([oldest]) => refreshWith(oldest)));
  test('the parent of the newest comes without a proof, a moment after that was made', () =>
    expectTheft((tokens) => refreshWith(tokens.at(-2))));
  test('an older token comes with the proof of another key', () =>
    expectTheft(async ([oldest]) => refreshWith(oldest, await createBrowserKey())));
});

describe('a browser that has its key', () => {
  test('keeps its token for ten minutes, in all its tabs, and then gets another', async () => {
    const key = await createBrowserKey();
    const { token } = await signIn(key);
    const tabs = await Promise.all(Array.from({ length: 6 }, () => refreshWith(token, key)));
    expect(tabs.map((tab) => tab.token)).toEqual(Array.from({ length: 6 }, () => token));
    now_ms += NEXT_TOKEN_MS;
    const later = await Promise.all(Array.from({ length: 6 }, () => refreshWith(token, key)));
    const [child] = later.map((tab) => tab.token);
    expect(child).not.toBe(token);
    expect(new Set(later.map((tab) => tab.token))).toEqual(new Set([child]));
  });

  test('gets the newest token for any older one, however late: it was killed before it wrote its cookies', async () => {
    const key = await createBrowserKey();
    const { token } = await signIn(key);
    const tokens = await rotate(token, key, 5);
    now_ms += 20 * 24 * 60 * MINUTE_MS;
    for (const old of tokens.slice(0, -1)) expect((await refreshWith(old, key)).token).toBe(tokens.at(-1));
  });

  test('is known without a cookie: it was killed each time before it wrote one', async () => {
    const key = await createBrowserKey();
    await signIn(key);
    for (const away_ms of [20_000, 5 * MINUTE_MS, 24 * 60 * MINUTE_MS]) {
      now_ms += away_ms;
      const back = await refreshWith(undefined, key);
      expect(back.status).toBe(200);
      expect((await refreshWith(back.token, key)).token).toBe(back.token);
    }
  });

  test('is not known without a cookie by another key, nor once its session has ended or its time is over', async () => {
    const key = await createBrowserKey();
    await signIn(key);
    expect((await refreshWith(undefined, await createBrowserKey())).code).toBe('refresh_invalid');
    const other = await createBrowserKey();
    const left = await signIn(other);
    await post(logout.path, { cookies: [`${COOKIE}=${left.token}`] });
    expect((await refreshWith(undefined, other)).code).toBe('refresh_invalid');
    now_ms += 31 * 24 * 60 * MINUTE_MS;
    expect((await refreshWith(undefined, key)).code).toBe('refresh_invalid');
  });

  test('has one session: an earlier one does not come back when the newest has ended', async () => {
    const key = await createBrowserKey();
    const before = await signIn(key);
    const { token } = await signIn(key);
    expect((await refreshWith(before.token, key)).token).not.toBe(before.token);
    await post(logout.path, { cookies: [`${COOKIE}=${token}`] });
    expect((await refreshWith(undefined, key)).code).toBe('refresh_invalid');
    expect((await refreshWith(before.token, key)).code).toBe('refresh_invalid');
  });

  test('gets its new session although the cookies of the previous one came back, the sign-out cookie included', async () => {
    const old_key = await createBrowserKey();
    const old = await signIn(old_key);
    await post(logout.path, { cookies: [`${COOKIE}=${old.token}`] });
    const signed_out = '__Host-sendlap_signed_out=1';
    const key = await createBrowserKey();
    await signIn(key);
    const back = await refreshWith(old.token, key, [signed_out]);
    expect(back.status).toBe(200);
    expect(back.headers['set-cookie']).toEqual(expect.arrayContaining([expect.stringContaining('signed_out=;')]));
  });
});

test('a session that was begun without a key is bound to the first that is proved with its newest token', async () => {
  const { token } = await signIn();
  const key = await createBrowserKey();
  const bound = await refreshWith(token, key);
  expect(bound.status).toBe(200);
  expect((await refreshWith(token, key)).token).toBe(bound.token);
  expect((await refreshWith(bound.token)).code).toBe('refresh_invalid');
  expect((await refreshWith(bound.token, key)).code).toBe('refresh_invalid');
});

test('without a key and a token no user is known', async () => {
  expect((await refreshWith(undefined)).code).toBe('refresh_invalid');
});

test('the log of a refused refresh says which of cookie and key the browser had, and holds neither', async () => {
  const { token } = await signIn(await createBrowserKey());
  const sessions = createSessions({ ...test_app, now: () => now_ms });
  await expect(sessions.refresh(token, undefined)).rejects.toMatchObject({
    log_fields: { refresh: 'reused', has_cookie: true, has_proof: false },
  });
  const unknown = { thumbprint: randomUUID(), id_hash: Buffer.from(randomUUID()) };
  await expect(sessions.refresh(undefined, unknown)).rejects.toMatchObject({
    log_fields: { refresh: 'unknown', has_cookie: false, has_proof: true },
  });
});
