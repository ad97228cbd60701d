import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Claims, type KeyPair, makeKeyPair, signToken } from './jwt.ts';

export const CLIENT = { client_id: 'sendlap-at-evil', client_secret: 'a secret of the operator' };
export const KEY_ID = 'published';

export type Respond = (response: ServerResponse) => void;

/** An OpenID provider that answers whatever an attack needs; without a plan, its sign-ins are honest. */
export interface ForgingIssuer {
  url: string;
  /** `published`: in the key set, for signatures. `encryption`: in it too, but not for signatures. */
  keys: { published: KeyPair; encryption: KeyPair; stranger: KeyPair };
  /** Sets the token endpoint's answer to this code, and userinfo's to the access token of the same name. */
  plan(code: string, answers: { token?: Respond; userinfo?: Respond }): void;
  /** Sets the discovery document; undefined: the true one. */
  setDiscovery(respond: Respond | undefined): void;
  metadata(): Record<string, unknown>;
  /** Returns the claims of a good ID token. */
  claims(nonce: string, more?: Claims): Claims;
  sign(claims: Claims): string;
  /** Counts the requests to addresses that no client should follow, from headers and redirects. */
  trapped(): number;
  close(): Promise<void>;
}

export const json =
  (value: unknown, status = 200): Respond =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

export const tokens = (id_token: unknown, code: string) =>
  json({ access_token: code, token_type: 'Bearer', expires_in: 300, id_token });

export async function startForgingIssuer(): Promise<ForgingIssuer> {
  const keys = { published: makeKeyPair('rsa'), encryption: makeKeyPair('rsa'), stranger: makeKeyPair('rsa') };
  const plans = new Map<string, { token?: Respond; userinfo?: Respond }>();
  let trapped = 0;
  let discovery: Respond | undefined;
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void> | void> = {
    '/.well-known/openid-configuration': (_, response) => {
      (discovery ?? json(metadataOf(url)))(response);
    },
    '/jwks': (_, response) => json(keySet(keys))(response),
    '/token': async (request, response) => {
      const code = new URLSearchParams(await readBody(request)).get('code') ?? '';
      (plans.get(code)?.token ?? json({ error: 'invalid_grant' }, 400))(response);
    },
    '/userinfo': (request, response) => {
      const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
      (plans.get(token)?.userinfo ?? json({ error: 'invalid_token' }, 401))(response);
    },
  };
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {});
    const route = routes[new URL(request.url ?? '/', url).pathname];
    if (route) return route(request, response);
    trapped += 1;
    json(keySet({ ...keys, published: keys.stranger }))(response);
  }

  return {
    url,
    keys,
    plan: (code, answers) => void plans.set(code, answers),
    setDiscovery(respond) {
      discovery = respond;
    },
    metadata: () => metadataOf(url),
    claims: (nonce, more) => ({ ...claimsOf(url), nonce, ...more }),
    sign: (claims) => signToken({ alg: 'RS256', kid: KEY_ID, typ: 'JWT' }, claims, keys.published.private_key),
    trapped: () => trapped,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Announces whatever a careless client would accept, so that only the client's own checks refuse. */
function metadataOf(url: string): Record<string, unknown> {
  return {
    issuer: url,
    authorization_endpoint: `${url}/auth`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    userinfo_endpoint: `${url}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'ES256', 'EdDSA', 'HS256', 'none'],
    code_challenge_methods_supported: ['plain', 'S256'],
  };
}

function claimsOf(url: string): Claims {
  const now_s = Math.floor(Date.now() / 1000);
  return {
    iss: url,
    aud: CLIENT.client_id,
    sub: 'victim',
    email: 'victim@elsewhere.example',
    name: 'Victim',
    iat: now_s,
    exp: now_s + 300,
  };
}

function keySet({ published, encryption }: Pick<ForgingIssuer['keys'], 'published' | 'encryption'>) {
  return {
    keys: [
      { ...published.public_jwk, kid: KEY_ID, use: 'sig', alg: 'RS256' },
      { ...encryption.public_jwk, kid: 'encryption', use: 'enc', alg: 'RSA-OAEP' },
    ],
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
