import { authorize } from '@sendlap/contract/auth.ts';
import { expect, onTestFinished, test } from 'vitest';
import { buildTestApp } from '#test/app/app.ts';

const STRICT = ['httponly', 'path=/', 'samesite=strict', 'secure'];
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };

const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15';
const CHROME =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';

/**
 * All cookies of a sign-up, followed back to the app, a refresh and a sign-out at this address: their attributes by name,
 * without their age.
 */
async function collectCookies(origin: string, user_agent: string, refresh_cookie = '__Host-sendlap_refresh') {
  const api = await buildTestApp({ env: { PUBLIC_URL: origin } });
  onTestFinished(() => api.close());
  const { refresh_token } = await api.signIn('Ada');
  const set: [string, string[]][] = [];
  const ask = async (url: string, headers: Record<string, string> = {}, payload?: string) => {
    const method = payload === undefined ? 'GET' : 'POST';
    const sent = {
      method,
      url,
      headers: { origin, 'user-agent': user_agent, ...headers },
      ...(payload === undefined ? {} : { payload }),
    } as const;
    const reply = await api.app.inject(sent);
    const lines = [reply.headers['set-cookie'] ?? []].flat();
    set.push(...lines.map(readCookie));
    return { reply, cookie: lines.map((line) => line.split(';')[0]).join('; ') };
  };
  const begun = await ask(`${authorize.path}?redirect_uri=${encodeURIComponent(`${origin}/auth/callback`)}`);
  const { pathname, search } = new URL(begun.reply.json().data.authorization_url);
  const { reply, cookie } = await ask(pathname + search);
  const account = 'email=ada%40example.org&display_name=Ada&password=correct+horse+battery';
  const signed_up = await ask(`${reply.headers.location}/sign-up`, { ...FORM, cookie }, account);
  const resume = new URL(String(signed_up.reply.headers.location), origin);
  const resumed = await ask(resume.pathname + resume.search, { cookie });
  expect(String(resumed.reply.headers.location)).toMatch(`${origin}/auth/callback?code=`);
  await ask('/v1/auth/refresh', { ...JSON_TYPE, cookie: `${refresh_cookie}=${refresh_token}` }, '{}');
  await ask('/v1/auth/logout', JSON_TYPE, '{}');
  return Object.fromEntries(set);
}

test('the cookies of the sign-in pages are signed by HMAC-SHA-256', async () => {
  const api = await buildTestApp({ env: { PUBLIC_URL: 'https://sendlap.example' } });
  onTestFinished(() => api.close());
  const redirect_uri = encodeURIComponent('https://sendlap.example/auth/callback');
  const begun = await api.app.inject(`${authorize.path}?redirect_uri=${redirect_uri}`);
  const { pathname, search } = new URL(begun.json().data.authorization_url);
  const { cookies } = await api.app.inject(pathname + search);
  const signatures = cookies.filter(({ name }) => name.endsWith('.sig')).map(({ value }) => value);
  expect(signatures.length).toBeGreaterThan(0);
  expect(signatures.filter((signature) => Buffer.from(signature, 'base64url').length !== 32)).toEqual([]);
});

function readCookie(line: string): [string, string[]] {
  const [pair = '', ...attributes] = line.toLowerCase().split(/; ?/);
  const kept = attributes
    .filter((attribute) => !/^(max-age|expires)=/.test(attribute))
    .map((attribute) => attribute.replace(/^(path=.*(?:interaction|auth))\/[\w-]+$/, '$1/id'));
  return [pair.replace(/=.*/s, ''), kept.sort()];
}

test.each([
  ['https://sendlap.example', '__secure-', ['secure']],
  // Without https, oidc-provider sets no `Secure`, and a prefix needs it.
  ['http://localhost:8000', '', []],
])('every cookie at %s has its prefix and flags', async (origin, prefix, secure) => {
  const lax = (path: string) => ['httponly', `path=${path}`, 'samesite=lax', ...secure];
  const provider = `${prefix}sendlap_provider`;
  expect(await collectCookies(origin, CHROME)).toEqual({
    '__host-sendlap_sign_in': STRICT,
    '__host-sendlap_devices': STRICT,
    '__host-sendlap_refresh': STRICT,
    '__host-sendlap_signed_out': STRICT,
    // The app reads it; it grants nothing.
    '__host-sendlap_session': ['path=/', 'samesite=strict', 'secure'],
    [`${provider}_interaction`]: lax('/oidc/interaction/id'),
    [`${provider}_interaction.sig`]: lax('/oidc/interaction/id'),
    [`${provider}_resume`]: lax('/oidc/auth/id'),
    [`${provider}_resume.sig`]: lax('/oidc/auth/id'),
    // Of a path without pages: no browser sends it back.
    [`${provider}_session`]: lax('/oidc/nowhere'),
    [`${provider}_session.sig`]: lax('/oidc/nowhere'),
  });
});

test('Safari, which stores no secure cookie of http, gets none at http://localhost', async () => {
  const [strict, lax] = [STRICT, ['httponly', 'samesite=lax']].map((kept) => kept.filter((flag) => flag !== 'secure'));
  expect(await collectCookies('http://localhost:8000', SAFARI, 'sendlap_refresh')).toEqual({
    sendlap_sign_in: strict,
    sendlap_devices: strict,
    sendlap_refresh: strict,
    sendlap_signed_out: strict,
    sendlap_session: ['path=/', 'samesite=strict'],
    ...Object.fromEntries(
      Object.entries({ interaction: 'interaction/id', resume: 'auth/id', session: 'nowhere' }).flatMap(
        ([name, path]) => {
          const flags = [lax?.[0], `path=/oidc/${path}`, lax?.[1]];
          return [`sendlap_provider_${name}`, `sendlap_provider_${name}.sig`].map((cookie) => [cookie, flags]);
        },
      ),
    ),
  });
});

test('Safari gets secure cookies over https', async () => {
  const cookies = await collectCookies('https://sendlap.example', SAFARI);
  expect(cookies['__host-sendlap_refresh']).toEqual(STRICT);
  expect(cookies['__host-sendlap_sign_in']).toEqual(STRICT);
});

test('tokens in cookies have 256 bits, and no two are alike', async () => {
  const api = await buildTestApp();
  onTestFinished(() => api.close());
  const people = await Promise.all(Array.from({ length: 20 }, (_, index) => api.signIn(`Ada ${index}`)));
  const tokens = people.map(({ refresh_token }) => refresh_token);
  expect(tokens.filter((token) => !/^[\w-]{43}$/.test(token))).toEqual([]);
  expect(new Set(tokens).size).toBe(tokens.length);
});
