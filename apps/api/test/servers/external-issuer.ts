import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair } from 'jose';
import { interactionPolicy, Provider, type ProviderContext } from 'oidc-provider';
import { CALLBACK } from '../app/sign-in.ts';

export const EXTERNAL_CLIENT = { client_id: 'sendlap-test', client_secret: 'a secret of the operator' };

/** How the issuer answers every request. */
type Mood = 'well' | 'down' | 'slow' | 'rubbish';

interface Person {
  email?: string;
  name?: string;
}

interface ExternalIssuerOptions {
  redirect_uris?: string[];
  post_logout_redirect_uris?: string[];
  id_token_alg?: 'RS256' | 'ES256' | 'EdDSA';
  /** The userinfo of each user, by the name that was typed at sign-in. */
  people?: Record<string, Person>;
  /** Supports `prompt=create` and announces it. */
  announces_create?: boolean;
}

export interface ExternalIssuer {
  issuer: string;
  /** The settings for an app that uses this issuer. */
  env: Record<string, string>;
  mood: Mood;
  close(): Promise<void>;
}

/**
 * A real third-party OpenID provider on a port of its own: one confidential client by client_secret_basic, its own
 * form, a session that remembers the signed-in user, e-mail and name by userinfo only.
 */
export async function startExternalIssuer(options: ExternalIssuerOptions = {}): Promise<ExternalIssuer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = await createProvider(issuer, options);
  const handle = provider.callback();
  const external: ExternalIssuer = {
    issuer,
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: EXTERNAL_CLIENT.client_id,
      OIDC_CLIENT_SECRET: EXTERNAL_CLIENT.client_secret,
    },
    mood: 'well',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  server.on('request', (request, response) => {
    if (external.mood === 'down') request.socket.destroy();
    else if (external.mood === 'rubbish') response.end('<!doctype html><title>It works!</title>');
    else if (external.mood === 'well') void answer(provider, handle, request, response);
  });
  return external;
}

async function answer(
  provider: Provider,
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!request.url?.startsWith('/interaction/')) return handle(request, response);
  const { prompt } = await provider.interactionDetails(request, response);
  if (request.method !== 'POST') {
    response.setHeader('content-type', 'text/html');
    response.end(`<form method="post" data-prompt="${prompt.name}"><input name="login"><input name="password"></form>`);
    return;
  }
  const login = new URLSearchParams(await text(request)).get('login') ?? '';
  const result = { login: { accountId: login }, ...(prompt.name === 'create' ? { create: {} } : {}) };
  const location = await provider.interactionResult(request, response, result);
  response.writeHead(303, { location }).end();
}

async function createProvider(issuer: string, options: ExternalIssuerOptions): Promise<Provider> {
  const { people = {}, id_token_alg = 'RS256', announces_create = false } = options;
  const policy = interactionPolicy.base();
  if (announces_create) policy.add(new interactionPolicy.Prompt({ name: 'create', requestable: true }), 0);
  return new Provider(issuer, {
    clients: [
      {
        ...EXTERNAL_CLIENT,
        redirect_uris: options.redirect_uris ?? [CALLBACK],
        post_logout_redirect_uris: options.post_logout_redirect_uris ?? [new URL('/login', CALLBACK).href],
        id_token_signed_response_alg: id_token_alg,
      },
    ],
    jwks: { keys: await Promise.all((['RS256', 'ES256', 'EdDSA'] as const).map(makeKey)) },
    claims: { openid: ['sub'], email: ['email'], profile: ['name'] },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...(people[id] ?? { email: `${id}@elsewhere.example`, name: 'Grace Hopper' }) }),
    }),
    ...(announces_create
      ? { discovery: { prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'] } }
      : {}),
    features: { devInteractions: { enabled: false } },
    interactions: { policy, url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    async loadExistingGrant({ oidc }: ProviderContext) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    pkce: { required: () => true },
    cookies: { keys: ['for tests'] },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 3_600, IdToken: 60, Interaction: 600, Session: 3_600 },
  });
}

async function makeKey(alg: 'RS256' | 'ES256' | 'EdDSA') {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), use: 'sig', alg, kid: `for ${alg}` };
}

export interface OutsideBrowser {
  /**
   * Follows an address of the issuer, signs in as `login` wherever a form asks, and stops at the first address of
   * another origin. `forms`: the prompts that were shown.
   */
  walk(address: string, login: string): Promise<{ address: string; forms: string[] }>;
}

/** A browser for the issuer's pages, with its own cookies. */
export function createOutsideBrowser(): OutsideBrowser {
  const cookies = new Map<string, string>();
  return {
    async walk(start, login) {
      const forms: string[] = [];
      let address = start;
      let body: URLSearchParams | undefined;
      for (let step = 0; step < 12; step += 1) {
        const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
        const method = body ? { method: 'POST', body } : {};
        const reply = await fetch(address, { redirect: 'manual', headers: { cookie }, ...method });
        for (const line of reply.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        const location = reply.headers.get('location');
        body = undefined;
        if (location) {
          address = new URL(location, address).href;
          if (new URL(address).origin !== new URL(start).origin) return { address, forms };
          continue;
        }
        const page = await reply.text();
        forms.push(/data-prompt="(\w+)"/.exec(page)?.[1] ?? page);
        body = new URLSearchParams({ login, password: 'any' });
      }
      throw new Error(`the issuer never sent the browser back: ${forms.join(', ')}`);
    },
  };
}
