import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { afterEach, describe, expect, test } from 'vitest';
import { createExternalProvider } from './external-provider.ts';

const PUBLIC_URL = 'https://sendlap.example';
const SECRETS = {
  redirect_uri: `${PUBLIC_URL}/auth/callback`,
  state: 's'.repeat(43),
  nonce: 'n'.repeat(43),
  verifier: 'v'.repeat(43),
};
const CLIENT = { client_id: 'sendlap-test', client_secret: 'a secret of the operator' };

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A real OpenID provider of another house, with its own log-in form; it tells e-mail and name by userinfo only. */
async function startProvider(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [SECRETS.redirect_uri] }],
    claims: { openid: ['sub'], email: ['email'], profile: ['name'] },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@elsewhere.example`, name: 'Grace Hopper' }),
    }),
    pkce: { required: () => true },
    cookies: { keys: ['for tests'] },
  });
  server.on('request', provider.callback());
  return issuer;
}

/** Walks through the provider's own forms; returns what the callback page would read. */
async function walkThrough(address: string) {
  const cookies = new Map<string, string>();
  let url = address;
  let body: URLSearchParams | undefined;
  for (let step = 0; step < 12; step += 1) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const reply = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(body ? { method: 'POST', body } : {}),
    });
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = reply.headers.get('location');
    if (location?.startsWith(SECRETS.redirect_uri)) return Object.fromEntries(new URL(location).searchParams);
    body = undefined;
    if (location) {
      url = new URL(location, url).href;
      continue;
    }
    const page = await reply.text();
    url = new URL(/action="([^"]+)"/.exec(page)?.[1] ?? '', url).href;
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '';
    body = new URLSearchParams({ prompt, login: 'grace', password: 'any' });
  }
  throw new Error('the provider never sent the browser back');
}

describe('an external provider', () => {
  test('must be https unless it is on this machine', () => {
    const create = (issuer: string) => () => createExternalProvider({ issuer, ...CLIENT, public_url: PUBLIC_URL });
    expect(create('http://id.example')).toThrow('OIDC_ISSUER');
    expect(create('https://id.example')).not.toThrow();
  });

  test('that is down is unavailable, not a refusal, and is asked again', async () => {
    const issuer = await startProvider();
    let is_down = true;
    const provider = createExternalProvider({
      issuer,
      ...CLIENT,
      public_url: PUBLIC_URL,
      fetch: (url, options) =>
        is_down ? Promise.reject(new TypeError('fetch failed')) : fetch(url, options as RequestInit),
    });
    await expect(provider.beginSignIn(SECRETS, { signup: false })).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
    is_down = false;
    await expect(provider.beginSignIn(SECRETS, { signup: false })).resolves.toBeInstanceOf(URL);
    is_down = true;
    await expect(provider.completeSignIn(SECRETS, { code: 'x' })).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
  });

  test('signs a person in by discovery, code, PKCE and a confidential client, and refuses what does not belong', async () => {
    const issuer = await startProvider();
    const provider = createExternalProvider({ issuer, ...CLIENT, public_url: PUBLIC_URL });
    const wrong_secret = createExternalProvider({ issuer, ...CLIENT, client_secret: 'guess', public_url: PUBLIC_URL });
    const begin = async () =>
      walkThrough((await provider.beginSignIn(SECRETS, { signup: true, ui_locales: 'es' })).href);

    const { code = '', state, iss } = await begin();
    expect([state, iss]).toEqual([SECRETS.state, issuer]);
    const person = await provider.completeSignIn(SECRETS, { code });
    expect(person).toEqual({ subject: 'grace', email: 'grace@elsewhere.example', name: 'Grace Hopper' });

    const refused = { code: 'oauth_failed', status: 400 };
    await expect(provider.completeSignIn(SECRETS, { code })).rejects.toMatchObject(refused);
    const other_verifier = { ...SECRETS, verifier: 'w'.repeat(43) };
    await expect(provider.completeSignIn(other_verifier, await freshCode(begin))).rejects.toMatchObject(refused);
    const other_nonce = { ...SECRETS, nonce: 'm'.repeat(43) };
    await expect(provider.completeSignIn(other_nonce, await freshCode(begin))).rejects.toMatchObject(refused);
    await expect(wrong_secret.completeSignIn(SECRETS, await freshCode(begin))).rejects.toMatchObject(refused);
    const mixed_up = { ...(await freshCode(begin)), iss: 'https://evil.example' };
    await expect(provider.completeSignIn(SECRETS, mixed_up)).rejects.toMatchObject(refused);
  });

  test('of Cognito takes sign-up at /signup and logs out by client id and address', async () => {
    const issuer = 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_pool';
    const domain = 'https://pool.auth.eu-west-1.amazoncognito.com';
    const metadata = {
      issuer,
      authorization_endpoint: `${domain}/oauth2/authorize`,
      token_endpoint: `${domain}/oauth2/token`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
    };
    const provider = createExternalProvider({
      issuer,
      ...CLIENT,
      public_url: PUBLIC_URL,
      fetch: async () => Response.json(metadata),
    });
    const sign_up = await provider.beginSignIn(SECRETS, { signup: true });
    expect(sign_up.origin + sign_up.pathname).toBe(`${domain}/signup`);
    expect(sign_up.searchParams.get('code_challenge_method')).toBe('S256');
    const sign_in = await provider.beginSignIn(SECRETS, { signup: false });
    expect(sign_in.pathname).toBe('/oauth2/authorize');
    const back = encodeURIComponent(`${PUBLIC_URL}/login`);
    expect(await provider.logoutUrl()).toBe(`${domain}/logout?client_id=${CLIENT.client_id}&logout_uri=${back}`);
  });
});

async function freshCode(begin: () => Promise<Record<string, string>>): Promise<{ code: string }> {
  return { code: (await begin()).code ?? '' };
}
