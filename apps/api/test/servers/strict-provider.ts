import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

/** Contains characters that the header's percent-encoding changes. */
const CLIENT = { client_id: 'sendlap-at_home', client_secret: 'a-secret_with-signs_in-it' };
const KEY_ALG = 'ES256';

interface Signed {
  nonce: string;
  aud: string;
}

/** The strictest third-party OpenID provider: it forgives nothing. Its fields can be changed at any time. */
export interface StrictProvider {
  issuer: string;
  client_id: string;
  client_secret: string;
  /** The settings for an app that uses it. */
  env: Record<string, string>;
  /** The client authentication methods it accepts, also listed in its discovery document; undefined: none listed. */
  methods: string[] | undefined;
  announces_create: boolean;
  has_end_session: boolean;
  /** The issuer name in its discovery document and its tokens. */
  told_issuer: string;
  /** How far its clock is ahead of the app's, in seconds. */
  clock_ahead_s: number;
  is_down: boolean;
  /** The error with which the token endpoint refuses every request. */
  token_error: string | undefined;
  claims: { email?: string; name?: string };
  /** Every request so far, as `GET /path`. */
  requests: string[];
  /** The secrets sent to the token endpoint, in order, by the name of their method. */
  shown: string[];
  /** Replaces the signing key; the old one is no longer published. */
  rotateKey(): Promise<void>;
  /** Goes through its sign-in page as a browser does. Returns the code for the app. */
  signIn(authorization_url: string): Promise<string>;
  /** Goes through its sign-out as a browser does. Returns the redirect address, or null for a blank page. */
  signOut(logout_url: string): Promise<string | null>;
  close(): Promise<void>;
}

interface Key {
  kid: string;
  jwk: JWK;
  sign(claims: Record<string, unknown>): Promise<string>;
}

/**
 * A small, strict provider on a port of its own. It decodes nothing in the Basic header, signs a user out only with an
 * ID token that it issued, and lets a code be used once.
 */
export async function startStrictProvider(changes: Partial<StrictProvider> = {}): Promise<StrictProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let key = await makeKey(1);
  const provider: StrictProvider = {
    issuer,
    ...CLIENT,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.client_id, OIDC_CLIENT_SECRET: CLIENT.client_secret },
    methods: ['client_secret_basic'],
    announces_create: false,
    has_end_session: true,
    told_issuer: issuer,
    clock_ahead_s: 0,
    is_down: false,
    token_error: undefined,
    claims: {},
    requests: [],
    shown: [],
    async rotateKey() {
      key = await makeKey(Number(key.kid) + 1);
    },
    async signIn(authorization_url) {
      const reply = await fetch(authorization_url, { redirect: 'manual' });
      return new URL(reply.headers.get('location') ?? '').searchParams.get('code') ?? '';
    },
    async signOut(logout_url) {
      return (await fetch(logout_url, { redirect: 'manual' })).headers.get('location');
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    ...changes,
  };

  const answer = createEndpoints(provider, () => key);
  server.on('request', (request, response) => {
    if (provider.is_down) return void request.socket.destroy();
    const url = new URL(request.url ?? '/', issuer);
    provider.requests.push(`${request.method} ${url.pathname}`);
    void answer(url, request, response);
  });
  return provider;
}

function createEndpoints(provider: StrictProvider, signingKey: () => Key) {
  const codes = new Map<string, Signed>();
  const given = new Set<string>();

  async function giveToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    const refusal = provider.token_error ?? (isClient(provider, request, form) ? undefined : 'invalid_client');
    if (refusal) return json(response, { error: refusal }, refusal === 'invalid_client' ? 401 : 400);
    const code = form.get('code') ?? '';
    const signed = codes.get(code);
    if (!signed) return json(response, { error: 'invalid_grant' }, 400);
    codes.delete(code);
    const iat = Math.floor(Date.now() / 1000) + provider.clock_ahead_s;
    const claims = { iss: provider.told_issuer, sub: 'grace', iat, exp: iat + 300, ...signed, ...provider.claims };
    const id_token = await signingKey().sign(claims);
    given.add(id_token);
    json(response, { access_token: code, token_type: 'Bearer', expires_in: 300, id_token });
  }

  return function answer(url: URL, request: IncomingMessage, response: ServerResponse): void | Promise<void> {
    const query = url.searchParams;
    if (url.pathname.endsWith('/.well-known/openid-configuration')) return json(response, metadataOf(provider));
    switch (url.pathname) {
      case '/keys':
        return json(response, { keys: [signingKey().jwk] });
      case '/authorize': {
        const code = `code-${codes.size}-${query.get('state')}`;
        codes.set(code, { nonce: query.get('nonce') ?? '', aud: query.get('client_id') ?? '' });
        return redirect(response, query.get('redirect_uri'), { code, state: query.get('state') ?? '' });
      }
      case '/token':
        return giveToken(request, response);
      case '/leave':
        if (!given.has(query.get('id_token_hint') ?? '')) return void response.end();
        return redirect(response, query.get('post_logout_redirect_uri'), {});
      default:
        return void response.writeHead(404).end();
    }
  };
}

function metadataOf({ issuer, told_issuer, methods, announces_create, has_end_session }: StrictProvider) {
  return {
    issuer: told_issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    id_token_signing_alg_values_supported: [KEY_ALG],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: ['openid', 'email', 'profile'],
    ...(methods ? { token_endpoint_auth_methods_supported: methods } : {}),
    ...(announces_create ? { prompt_values_supported: ['login', 'create'] } : {}),
    ...(has_end_session ? { end_session_endpoint: `${issuer}/leave` } : {}),
  };
}

/** Compares the header as it is, without decoding. */
function isClient(provider: StrictProvider, { headers }: IncomingMessage, form: URLSearchParams): boolean {
  const { client_id, client_secret, methods = ['client_secret_basic'] } = provider;
  const [, basic] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? [];
  const method = basic ? 'client_secret_basic' : 'client_secret_post';
  provider.shown.push(method);
  const shown = basic
    ? Buffer.from(basic, 'base64').toString()
    : `${form.get('client_id')}:${form.get('client_secret')}`;
  return methods.includes(method) && shown === `${client_id}:${client_secret}`;
}

async function makeKey(number: number): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(KEY_ALG, { extractable: true });
  const kid = String(number);
  return {
    kid,
    jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: KEY_ALG },
    sign: (claims) => new SignJWT(claims).setProtectedHeader({ alg: KEY_ALG, kid }).sign(privateKey),
  };
}

function json(response: ServerResponse, body: object, status = 200): void {
  const date = new Date().toUTCString();
  response.writeHead(status, { 'content-type': 'application/json', date }).end(JSON.stringify(body));
}

function redirect(response: ServerResponse, address: string | null, query: Record<string, string>): void {
  const location = new URL(address ?? 'about:blank');
  for (const [name, value] of Object.entries(query)) location.searchParams.set(name, value);
  response.writeHead(303, { location: location.href }).end();
}
