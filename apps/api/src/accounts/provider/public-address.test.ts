import { authorize } from '@sendlap/contract/auth.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '#test/app/app.ts';

const PUBLIC_URL = 'https://sendlap.example';
/** Headers that a caller could send to fake another address. */
const SPOOFED = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };

let test_app: TestApp;
beforeAll(async () => {
  test_app = await buildTestApp({ env: { PUBLIC_URL } });
});
afterAll(() => test_app.close());

test('behind a proxy all addresses and cookies use the public address, whatever the caller sends', async () => {
  const redirect_uri = encodeURIComponent(`${PUBLIC_URL}/auth/callback`);
  const begun = await test_app.app.inject({ url: `${authorize.path}?redirect_uri=${redirect_uri}`, headers: SPOOFED });
  const address: string = begun.json().data.authorization_url;
  expect(address.startsWith(`${PUBLIC_URL}/oidc/auth?`)).toBe(true);

  const { pathname, search } = new URL(address);
  const started = await test_app.app.inject({ url: pathname + search, headers: SPOOFED });
  expect([started.statusCode, started.headers.location]).toEqual([
    303,
    expect.stringMatching(/^\/oidc\/interaction\//),
  ]);
  expect(started.cookies.length).toBeGreaterThan(0);
  for (const cookie of started.cookies) expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: 'lax' });

  const cookie = started.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const path = String(started.headers.location);
  const posted = await test_app.app.inject({
    method: 'POST',
    url: `${path}/sign-up`,
    headers: { ...SPOOFED, cookie, origin: PUBLIC_URL, 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'email=ada%40example.org&display_name=Ada&password=correct+horse+battery',
  });
  expect(String(posted.headers.location).startsWith(`${PUBLIC_URL}/oidc/auth/`)).toBe(true);
});

test('with a public address the development server is refused as redirect address', async () => {
  const redirect_uri = encodeURIComponent('http://localhost:5173/auth/callback');
  const reply = await test_app.app.inject(`${authorize.path}?redirect_uri=${redirect_uri}`);
  expect(reply.json().code).toBe('redirect_uri_not_allowed');
});
